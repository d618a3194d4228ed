"""捡十四分: taking cards from the table that make fourteen with one of the hand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.cards import Cards
from engine.families import partners
from engine.families.fishing import FishFacts, FishGame, FishState
from engine.fields import Check
from engine.game import Deal, Match
from engine.rulebook import Data
from engine.verdict import Reason, reason


@dataclass(frozen=True, kw_only=True)
class Continued:
    """Hands and tables for the numbers of players that the source's tables leave out."""

    hand: Mapping[str, int]
    table: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Facts(FishFacts):
    """`points` are those of a card in a pair by suit, and of a `joker`. `partners` says whether one
    plays in sides: as many as `sides`, the seats taking turns."""

    continued: Continued
    points: Mapping[str, int]
    partners: bool
    sides: int


class Jianshisifen(FishGame[Facts, FishState]):
    facts_type = Facts

    def figures(self) -> Data:
        """`least` and `most` are the numbers of players."""
        least, most = self.rules.book.game.players
        return {"least": least, "most": most}

    # The deal

    def hand_size(self, players: int) -> int:
        return {**self.facts.hand, **self.facts.continued.hand}[str(players)]

    def table_size(self, players: int) -> int:
        return {**self.facts.table, **self.facts.continued.table}[str(players)]

    def first_seat(self, match: Match) -> int:
        return (match.dealer - 1) % match.players

    def start(self, deal: Deal, match: Match) -> FishState:
        players, first = match.players, self.first_seat(match)
        count = self.table_size(players)
        hand, table = str(players) in self.facts.hand, str(players) in self.facts.table
        return FishState(
            match=match,
            hands=deal.hands,
            stock=deal.stock[count:],
            open_cards=deal.stock[:count],
            pairs=((),) * players,
            turn=first,
            events=(
                reason("jianshisifen-01", "dealt.players", players=players),
                reason("jianshisifen-05", "dealt.first", dealer=match.dealer, seat=first),
                reason(_source(hand), "dealt.hand", count=self.hand_size(players)),
                reason(_source(table), "dealt.table", count=count),
                reason("jianshisifen-06", "dealt.begins", seat=first),
            ),
        )

    # What pairs are worth

    def worth(self, cards: Cards) -> int:
        points = self.facts.points
        return sum(points[card.suit or "joker"] for card in cards)

    def why_worth(self, cards: Cards) -> tuple[Reason, ...]:
        suited = [c for c in self.sorted(cards) if c.suit]
        jokers = [c for c in self.sorted(cards) if not c.suit]
        why = []
        if not cards:
            return (reason("jianshisifen-13", "worth.none"),)
        if suited:
            points = self.worth(tuple(suited))
            why.append(reason("jianshisifen-13", "worth.suits", cards=suited, points=points))
        if jokers:
            points = self.facts.points["joker"]
            why.append(reason("jianshisifen-14", "worth.jokers", cards=jokers, points=points))
        return tuple(why)

    def sides(self, players: int) -> partners.Sides:
        count = self.facts.sides
        if self.facts.partners and not players % count:
            return [range(first, players, count) for first in range(count)]
        return super().sides(players)

    # Questions

    def checks(self) -> Iterable[Check]:
        yield self.value_check()
        yield self.takes_check()
        yield self.score_check()


def _source(in_source: bool) -> str:
    """The clause that a number of cards comes from."""
    return "jianshisifen-03" if in_source else "jianshisifen-04"


GAME = Jianshisifen
