"""Reading cards as people write them; writing them strictly."""

import pickle
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import JOKERS, RANKS, SUITS, Card, Order, pack, read_card, read_cards, read_suit

ALL = pack(jokers=JOKERS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("S7", "S7"), ("s7", "S7"), ("♠7", "S7"), ("♤7", "S7"), ("黑桃7", "S7"), ("黑7", "S7"),
        ("H10", "H10"), ("HT", "H10"), ("♥️10", "H10"), ("红桃10", "H10"), ("红心10", "H10"),
        ("紅心Q", "HQ"), ("紅桃q", "HQ"), ("方块A", "DA"), ("方片a", "DA"), ("方塊A", "DA"),
        ("梅花K", "CK"), ("草花K", "CK"), ("大王", "DW"), ("小王", "XW"), ("dw", "DW"),
        ("Ｓ１０", "S10"), ("黑桃 7", "S7"), ("  C2 ", "C2"),
    ],
)  # fmt: skip
def test_liberal_reading(text: str, code: str) -> None:
    assert read_card(text) == code


def test_many_cards_with_and_without_spaces() -> None:
    assert read_cards("S7H10 ♦Q、大王，小王") == ("S7", "H10", "DQ", "DW", "XW")
    assert read_cards("") == ()


@pytest.mark.parametrize("text", ["S1", "S11", "S100", "Z7", "7", "红", "王", "S7 x", "🂡", "S0"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r".+") as caught:
        read_cards(text)
    assert str(caught.value) in text.upper()
    assert str(caught.value)


@given(st.lists(st.sampled_from(ALL), max_size=20))
def test_what_is_written_can_be_read(cards: list[Card]) -> None:
    assert read_cards(" ".join(cards)) == tuple(cards)
    assert read_cards("".join(c.glyphs for c in cards)) == tuple(cards)


@given(st.text(max_size=30))
def test_reading_gives_cards_or_names_what_is_none(text: str) -> None:
    plain = unicodedata.normalize("NFKC", text).upper()
    try:
        cards = read_cards(text)
    except ValueError as error:
        named = str(error)
    else:
        assert len("".join(cards)) <= len(plain)
        return
    assert named in plain.replace("\ufe0f", "").replace("\ufe0e", "")


def test_cards_are_one_value_each() -> None:
    assert Card("S7") is Card("S7")
    assert pickle.loads(pickle.dumps(Card("H10"))) is Card("H10")
    assert repr(Card("H10")) == "Card('H10')"
    with pytest.raises(ValueError, match="expected a card code"):
        Card("s7")


def test_packs() -> None:
    assert len(pack()) == 52
    assert len(ALL) == 54
    assert len(pack(copies=2, jokers=JOKERS)) == 108
    assert "C2" not in pack(without=["C2"])


def test_order_is_highest_first_and_suits_in_the_order_s_h_d_c() -> None:
    order = Order(tuple(reversed(RANKS)))
    assert order.sort([Card("C7"), Card("S7"), Card("XW"), Card("DW"), Card("H8")]) == (
        "DW", "XW", "H8", "S7", "C7",
    )  # fmt: skip


def test_suits_by_letter_sign_and_name() -> None:
    words = {"S": "黑桃", "H": "紅心", "D": "♦️", "C": "草花"}
    assert tuple(read_suit(words[s]) for s in SUITS) == SUITS
    with pytest.raises(ValueError, match="王"):
        read_suit("王")
