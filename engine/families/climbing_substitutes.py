"""Substitutes in climbing games: which card each stands for, and the reasons that say so.

Which cards may stand for others is in the facts (`substitutes`), what they may fill in
`climbing_types`. A game cites besides what `Why` names: `stands` (what a substitute stands for) and
`only-substitutes` (a play of nothing but substitutes).
"""

from engine.cards import JOKERS, SUITS, Card, Cards
from engine.families.climbing_types import Classifier, Reading
from engine.families.climbing_why import Why
from engine.verdict import Reason


def stands_for(types: Classifier, reading: Reading, cards: Cards) -> dict[Card, Card]:
    """What each substitute among the cards stands for, the highest for the highest and, of one rank, in
    the order of suits. Where no suit is asked for, it is the first that the cards leave free."""
    fillers = {types.ranks[r] for r in types.fillers(reading.length > 1)}
    own = [c for c in cards if c.rank not in fillers]
    own = own or [c for c in cards if c.rank == reading.rank]
    wild = sorted(
        set(cards) - set(own),
        key=lambda c: (-types.place[c.rank], SUITS.index(c.suit) if c.suit else 0),
    )
    held = [s for s in SUITS if any(c.suit == s for c in own)]
    suits = [*held, *(s for s in SUITS if s not in held)]
    found: dict[Card, Card] = {}
    for rank in _ranks(types, reading):
        missing = reading.group - sum(c.rank == rank for c in own)
        among = suits[: reading.group] if reading.flush else SUITS
        free = [s + rank for s in among if s + rank not in own]
        for _ in range(missing):
            code = rank if rank in JOKERS else free.pop(0) if free else SUITS[0] + rank
            found[wild[len(found)]] = Card(code)
    return found


def _ranks(types: Classifier, reading: Reading) -> list[str]:
    """The ranks of a reading's groups, the highest first."""
    if reading.length == 1:
        return [reading.rank]
    runs = types.ladders[types.shape_of(reading).ladder]
    low = types.place[reading.low]
    run = next(r for _, r in runs if r[0] == low and len(r) == reading.length)
    return [types.ranks[r] for r in reversed(run)]


class Substitutes(Why):
    """The reasons of a game where cards stand for others."""

    def reads(self, reading: Reading, cards: Cards) -> tuple[Reason, ...]:
        reasons = [*super().reads(reading, cards), *self.stands(reading, cards)]
        place = self.classifier.place[reading.rank]
        if reading.wild and place in self.classifier.fillers(False):
            reasons.append(self.cite("only-substitutes", "stands.lowest", rank=reading.rank))
        elif len(cards) == 1 and place in self.classifier.fillers(True):
            reasons.append(self.cite("only-substitutes", "stands.itself", rank=reading.rank))
        return tuple(reasons)

    def stands(self, reading: Reading, cards: Cards) -> tuple[Reason, ...]:
        """What the substitutes stand for: cards in a flush, else ranks."""
        if not reading.wild:
            return ()
        said = {
            card.glyphs: other.glyphs if reading.flush or not other.suit else other.rank
            for card, other in stands_for(self.classifier, reading, cards).items()
        }
        return (self.cite("stands", "stands", stands=said),)

    def is_none(self, cards: Cards) -> Reason:
        fillers = {self.classifier.ranks[r] for r in self.classifier.fillers(True)}
        own = tuple(card for card in cards if card.rank not in fillers)
        if len(own) == len(cards):
            return super().is_none(cards)
        if len(own) > 1 and (off := [card for card in own if self._off(card)]):
            name = next(n for n, shape in self.classifier.shapes.items() if shape.run)
            return self.cite(self._own(name, "ends"), "near.never", type=name, rank=off[0].rank)
        return self.cite("none", "near.none-stands", cards=list(cards))

    def _off(self, card: Card) -> bool:
        """Whether a card joins no run."""
        place = self.classifier.place[card.rank]
        runs = (run for ladder in self.classifier.ladders.values() for _, run in ladder)
        return not any(place in run for run in runs)

    def compares(self, play: Reading, table: Reading) -> tuple[Reason, ...]:
        reasons = super().compares(play, table)
        equal = play.build == table.build and play.strength == table.strength
        if equal and (play.wild or table.wild):
            key = "alike.straights" if play.length > 1 else "alike.sets"
            reasons = (*reasons, self.cite("alike", key))
        return reasons
