"""攻擂: hands arranged in three rows, each challenger's against the defender's, for the title."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from engine.cards import Card, Cards
from engine.families.arranging import ArrangingFacts, ArrangingGame, ArrangingState, Laid, Role
from engine.families.dealing import deal_each
from engine.families.poker_ranks import Ranked
from engine.families.row_odds import Tally
from engine.families.row_search import Arrangement, Rows
from engine.families.special_hands import SpecialFacts, SpecialHands
from engine.fields import CardList, Check, Choice, Int, ListOf, Nullable, OneOf
from engine.game import Deal, Match, Move, Note, Result, Table, Zone
from engine.games import gonglei_opponents
from engine.seats import check_each
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message, reason

Winner = Literal["challenger", "defender"]
Total = Literal["gross", "net"]


@dataclass(frozen=True, kw_only=True)
class TitleFacts:
    """The defender holds the title with a net of more than `hold`, a challenger takes it with `take`."""

    hold: int
    take: int


@dataclass(frozen=True, kw_only=True)
class Facts(ArrangingFacts):
    """`deals_per_pack` is how many deals one shuffle serves, by number of players; `challenger_total`
    says whether a challenger's losses count against what he needs for the title."""

    special: SpecialFacts
    deals_per_pack: Mapping[str, int]
    title: TitleFacts
    challenger_total: Total


@dataclass(frozen=True, kw_only=True)
class GongleiMatch(Match):
    """`dealer` is the defender; `scores` are the sheets: what each has won since the title last passed.

    `lost` is what each challenger has lost to the defender in that time. `draws` are the cards drawn
    for the first defence, a round an entry: by seat, "" for who draws none in that round.
    """

    lost: tuple[int, ...]
    draws: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Duel:
    """What a challenger and the defender win from each other: `rows` give winner and pay of each row,
    None where a special hand decided. A row that both have forfeited has no winner."""

    rows: tuple[tuple[Winner | None, int], ...] | None
    won: int
    lost: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """What becomes of the title: the defender has held it, or the seat that takes it, or neither."""

    held: bool
    taker: int | None
    reasons: tuple[Reason, ...]


class Gonglei(ArrangingGame[Facts, ArrangingState]):
    facts_type = Facts
    match_type = GongleiMatch

    @cached_property
    def specials(self) -> SpecialHands:
        sizes = [row.cards for row in self.facts.rows]
        return SpecialHands(self.facts.special, self.order, sizes, ace_low=self.facts.ace_low)

    @property
    def tally(self) -> Tally:
        return gonglei_opponents.tally()

    # The match and the deal

    @property
    def target(self) -> int:
        return self.facts.title.hold

    def new_match(self, players: int, seed: str = "", target: int | None = None) -> GongleiMatch:
        """The first defender is drawn by cards (gonglei-02)."""
        self.check_players(players)
        match = GongleiMatch(
            seed=seed,
            players=players,
            scores=(0,) * players,
            lost=(0,) * players,
            target=target or self.target,
        )
        rounds, dealer = self.draw(self.rng(match, "draw"), range(players))
        # Plain texts, as all of a standing is plain data.
        draws = tuple(
            tuple(str(cards.get(seat, "")) for seat in range(players)) for cards in rounds
        )
        return replace(match, dealer=dealer, draws=draws)

    def draw(
        self, rng: random.Random, seats: Iterable[int]
    ) -> tuple[tuple[dict[int, Card], ...], int]:
        """The seats draw cards, the highest rank wins, level ones draw again: the cards of each round
        by seat, and who has won."""
        rounds = []
        seats = list(seats)
        while len(seats) > 1:
            cards = dict(zip(seats, rng.sample(self.pack(len(seats)), len(seats)), strict=True))
            rounds.append(cards)
            best = max(self.order.strength[card.rank] for card in cards.values())
            seats = [s for s, card in cards.items() if self.order.strength[card.rank] == best]
        return tuple(rounds), seats[0]

    def check_match(self, match: Match) -> None:
        assert isinstance(match, GongleiMatch)
        check_each(match.lost, match.players, "match.lost")
        if min(*match.lost, *match.scores) < 0:
            raise BadInput("match.scores", "bad.sheet-negative")
        if match.lost[match.dealer] or sum(match.lost) != match.scores[match.dealer]:
            raise BadInput("match.lost", "bad.sheet-lost", points=match.scores[match.dealer])
        title = self.title(match)
        if title.held or title.taker is not None:
            raise BadInput("match.scores", "bad.sheet-decided")
        if match.deal_no == 1 and match.draws and match.draws != self._drawn(match):
            raise BadInput("match.draws", "bad.draws", seat=match.dealer)

    def _drawn(self, match: GongleiMatch) -> tuple[tuple[str, ...], ...]:
        """The draws of the match, when they made its dealer the defender."""
        fresh = self.new_match(match.players, match.seed)
        return fresh.draws if fresh.dealer == match.dealer else ()

    def shuffled(self, match: Match) -> Deal:
        """With two players the second deal is of the cards that the first left (gonglei-03)."""
        turn = self._deal_of_pack(match)
        cards = list(self.pack(match.players))
        self.rng(replace(match, deal_no=match.deal_no - turn)).shuffle(cards)
        start = turn * match.players * self.facts.hand
        return self.divide(tuple(cards[start:] + cards[:start]), match)

    def _deal_of_pack(self, match: Match) -> int:
        """Which of the deals that one shuffle serves this is, from 0."""
        return (match.deal_no - 1) % self.facts.deals_per_pack[str(match.players)]

    def divide(self, cards: Cards, match: Match) -> Deal:
        return deal_each(cards, match, self.facts.hand)

    def start(self, deal: Deal, match: Match) -> ArrangingState:
        assert isinstance(match, GongleiMatch)
        again = self._deal_of_pack(match) > 0
        key = "dealt.again" if again else "dealt" if deal.stock else "dealt.all"
        dealt = reason(
            "gonglei-03", key, seat=match.dealer, first=match.eldest, left=len(deal.stock)
        )
        return ArrangingState(
            match=match,
            hands=deal.hands,
            stock=deal.stock,
            turn=match.eldest,
            laid=(None,) * match.players,
            events=(*self._why_drawn(match), dealt),
        )

    def _why_drawn(self, match: GongleiMatch) -> tuple[Reason, ...]:
        if match.deal_no > 1 or not match.draws:
            return ()
        reasons = [
            reason("gonglei-02", "draw.card", seat=seat, card=card)
            for cards in match.draws
            for seat, card in enumerate(cards)
            if card
        ]
        return (*reasons, reason("gonglei-02", "draw.defends", seat=match.dealer))

    # Moves

    def legal_moves(self, state: ArrangingState) -> Sequence[Move]:
        moves = super().legal_moves(state)
        if state.turn is not None and self.specials.best(state.hands[state.turn]):
            return [Move("declare"), *moves]
        return moves

    def fault(self, state: ArrangingState, move: Move) -> Reason | None:
        if move.kind != "declare":
            return super().fault(state, move)
        if move != Move("declare") or not self.specials.best(state.hands[state.mover]):
            return reason("gonglei-16", "special.none")
        return None

    def allows(self, state: ArrangingState, move: Move) -> tuple[Reason, ...]:
        hand = state.hands[state.mover]
        if move.kind == "declare":
            return self.why_special(hand)
        reasons = super().allows(state, move)
        if special := self.specials.best(hand):
            pays = self.specials.pay(special)
            given_up = reason("gonglei-24", "special.given-up", special=special, pays=pays)
            return (*reasons, given_up)
        return reasons

    def play(self, state: ArrangingState, move: Move) -> ArrangingState:
        if move.kind != "declare":
            return super().play(state, move)
        hand = self.sorted(state.hands[state.mover])
        return self.lay(state, Laid(self.split(hand), self.specials.best(hand)))

    def pick(self, state: ArrangingState, rng: random.Random) -> Move:
        if rng.random() < 0.5 and self.specials.best(state.hands[state.mover]):
            return Move("declare")
        return super().pick(state, rng)

    def robot(self, state: ArrangingState) -> Move:
        """The arrangement worth most in the seat's role, or the special hand where that is more."""
        cards = self.sorted(state.hands[state.mover])
        role: Role = "defender" if state.turn == state.match.dealer else "challenger"
        best = self.search(role).best(cards)[0]
        special = self.specials.best(cards)
        worth = best.value + self.special_value(None, role)
        if special and self.special_value(special, role) >= worth:
            return Move("declare")
        return Move("arrange", tuple(card for row in best.rows for card in row))

    # Comparing

    def compare(self, row: int, challenger: Cards, defender: Cards) -> tuple[Winner, int]:
        """Who wins the row of that number from 0, and what it pays him."""
        mine, other = (self.ranks[row].rank(cards) for cards in (challenger, defender))
        if mine.strength > other.strength:
            return "challenger", self.pays[row][mine.type]
        return "defender", self.pays[row][other.type]

    def why_compared(self, row: int, challenger: Cards, defender: Cards) -> Reason:
        """What decides between the rows."""
        mine, other = (self.ranks[row].rank(cards) for cards in (challenger, defender))
        name = self.facts.rows[row].name
        if mine.strength == other.strength:
            return reason("gonglei-14", "compare.tie", row=name, type=mine.type)
        side, high, low = "challenger", mine, other
        if mine.strength < other.strength:
            side, high, low = "defender", other, mine
        short = len(challenger) == min(r.cards for r in self.facts.rows)
        if high.type != low.type:
            clause = "gonglei-09" if short else "gonglei-11"
            return reason(clause, f"compare.type.{side}", row=name, high=high.type, low=low.type)
        clause = "gonglei-10" if short else "gonglei-12"
        better, worse = next(
            pair for pair in zip(high.ranks, low.ranks, strict=True) if pair[0] != pair[1]
        )
        return reason(clause, f"compare.rank.{side}", row=name, type=high.type,
                      high=self.rank_of(better), low=self.rank_of(worse))  # fmt: skip

    def rank_of(self, strength: int) -> str:
        """The rank of a strength; 0 is an ace that stands low."""
        ranks = self.facts.ranks
        return ranks[len(ranks) - strength] if strength else ranks[0]

    def why_paid(self, row: int, winner: Winner, ranked: Ranked) -> Reason:
        """What the winner's row pays."""
        name, pays = self.facts.rows[row].name, self.pays[row][ranked.type]
        kind = "bonus" if ranked.type in self.facts.rows[row].pays else "plain"
        key = f"pay.{kind}.{winner}"
        return reason("gonglei-20", key, row=name, type=ranked.type, pays=pays)

    def duel(self, challenger: Laid, defender: Laid) -> Duel:
        """What the two win from each other (gonglei-14, -18 to -20)."""
        if challenger.declared or defender.declared:
            return self._duel_of_specials(challenger.declared, defender.declared)
        forfeits = [self.misplaced(laid.rows) is not None for laid in (challenger, defender)]
        if any(forfeits):
            return self._duel_of_forfeits(challenger, defender, *forfeits)
        rows: list[tuple[Winner, int]] = []
        reasons: list[Reason] = []
        for n, (mine, other) in enumerate(zip(challenger.rows, defender.rows, strict=True)):
            winner, pays = self.compare(n, mine, other)
            rows.append((winner, pays))
            ranked = self.ranks[n].rank(mine if winner == "challenger" else other)
            reasons += [self.why_compared(n, mine, other), self.why_paid(n, winner, ranked)]
        return self._sum(rows, reasons)

    def _sum(self, rows: Sequence[tuple[Winner | None, int]], reasons: Iterable[Reason]) -> Duel:
        won = sum(pays for winner, pays in rows if winner == "challenger")
        lost = sum(pays for winner, pays in rows if winner == "defender")
        return Duel(tuple(rows), won, lost, (*reasons, self._why_sum(won, lost)))

    @staticmethod
    def _why_sum(won: int, lost: int) -> Reason:
        return reason("gonglei-21", "sheet.duel", won=won, lost=lost)

    def _duel_of_specials(self, challenger: str | None, defender: str | None) -> Duel:
        mine, other = self.specials.level(challenger), self.specials.level(defender)
        special = challenger if mine > other else defender
        assert special is not None
        side = "challenger" if mine > other else "defender"
        if not challenger or not defender:
            why = [reason("gonglei-18", f"special.beats-rows.{side}", special=special)]
        elif mine == other:
            why = [reason("gonglei-18", "special.tie", special=special, other=challenger)]
        else:
            low = defender if mine > other else challenger
            why = [
                reason("gonglei-15", "special.order", special=special, other=low),
                reason("gonglei-18", f"special.higher.{side}"),
            ]
        pays = self.specials.pay(special)
        won, lost = (pays, 0) if mine > other else (0, pays)
        paid = reason("gonglei-19", f"special.pay.{side}", special=special, pays=pays)
        return Duel(None, won, lost, (*why, paid, self._why_sum(won, lost)))

    def _duel_of_forfeits(self, challenger: Laid, defender: Laid, lost: bool, won: bool) -> Duel:
        """Rows out of order are lost, whatever they are; where both are out of order nobody wins."""
        if lost and won:
            both = reason("gonglei-06", "forfeit.both")
            return self._sum([(None, 0)] * len(self.facts.rows), [both])
        winner: Winner = "defender" if lost else "challenger"
        ranked = self.ranked(defender.rows if lost else challenger.rows)
        reasons = [reason("gonglei-06", f"forfeit.{winner}")]
        reasons += [self.why_paid(n, winner, row) for n, row in enumerate(ranked)]
        return self._sum([(winner, self.pays[n][r.type]) for n, r in enumerate(ranked)], reasons)

    # The end of a deal

    def result(self, state: ArrangingState) -> Result | None:
        laid = [hand for hand in state.laid if hand is not None]
        if state.turn is not None:
            return None
        match, dealer = state.match, state.match.dealer
        assert isinstance(match, GongleiMatch)
        won, lost = [0] * match.players, [0] * match.players
        reasons: list[Reason] = []
        for step in range(1, match.players):
            seat = (dealer + step) % match.players
            duel = self.duel(laid[seat], laid[dealer])
            won[seat], lost[seat] = duel.won, duel.lost
            reasons += [reason("gonglei-01", "duel.seat", seat=seat, defender=dealer)]
            reasons += duel.reasons
        won[dealer], lost[dealer] = sum(lost), sum(won)
        reasons.append(reason("gonglei-21", "sheet.defender", seat=dealer, points=won[dealer]))
        scores = tuple(a + b for a, b in zip(match.scores, won, strict=True))
        losses = tuple(
            0 if seat == dealer else before + points
            for seat, (before, points) in enumerate(zip(match.lost, lost, strict=True))
        )
        counted = replace(match, scores=scores, lost=losses)
        title = self.title(counted)
        winners = tuple(s for s in range(match.players) if won[s] > lost[s])
        return Result(
            tuple(won),
            winners,
            self._passed(counted, title.taker),
            (*reasons, *title.reasons),
            (dealer,) if title.held else None,
        )

    def total(self, match: GongleiMatch, seat: int) -> int:
        """What a challenger has towards the title."""
        lost = match.lost[seat] if self.facts.challenger_total == "net" else 0
        return match.scores[seat] - lost

    def title(self, match: GongleiMatch) -> Title:
        """What becomes of the title with these sheets (gonglei-22, -23)."""
        seat = match.dealer
        others = [s for s in range(match.players) if s != seat]
        net = match.scores[seat] - sum(match.scores[s] for s in others)
        able = [s for s in others if self.total(match, s) >= self.facts.title.take]
        if match.target is not None and net > match.target:
            held = reason("gonglei-22", "title.held", seat=seat, net=net, hold=match.target)
            first = [reason("gonglei-23", "title.held-first", seats=able)] if able else []
            return Title(True, None, (held, *first))
        if not able:
            most = max(self.total(match, s) for s in others)
            return Title(False, None, (reason("gonglei-22", "title.open", seat=seat, net=net,
                                              most=most),))  # fmt: skip
        best = max(self.total(match, s) for s in able)
        level = [s for s in able if self.total(match, s) == best]
        rounds, taker = self.draw(self.rng(match, "title"), level)
        reasons = [reason("gonglei-23", "title.highest", seats=able, total=best)] * (len(able) > 1)
        reasons += [
            reason("gonglei-23", "draw.card", seat=s, card=card)
            for cards in rounds
            for s, card in cards.items()
        ]
        taken = reason("gonglei-22", "title.taken", seat=taker, total=best, defender=seat)
        return Title(False, taker, (*reasons, taken))

    @staticmethod
    def _passed(match: GongleiMatch, taker: int | None) -> GongleiMatch:
        """The standing for the next deal: clean sheets when the title has passed."""
        match = replace(match, draws=())
        if taker is None:
            return match
        clean = (0,) * match.players
        return replace(match, dealer=taker, scores=clean, lost=clean)

    # Looking on

    def undealt(self, state: ArrangingState) -> tuple[Zone, ...]:
        if self._deal_of_pack(state.match):
            return (Zone("used", self.sorted(state.stock)),)
        return super().undealt(state)

    def table(self, state: ArrangingState) -> Table:
        match = state.match
        sheets = tuple(
            Note(message("note.sheet", points=points), seat)
            for seat, points in enumerate(match.scores)
        )
        defender = Note(message("note.defender"), match.dealer)
        return replace(super().table(state), notes=(defender, *sheets))

    # Questions

    def checks(self) -> Iterable[Check]:
        facts = self.facts
        most = self.rules.book.game.players[1] - 1
        three, five = min(r.cards for r in facts.rows), max(r.cards for r in facts.rows)
        whole = CardList(facts.hand, facts.hand)
        laid = OneOf(rows=self.rows_field(), special=whole)
        yield self.row_check()
        yield self.question(
            "compare",
            self._compare,
            row=Int(1, len(facts.rows)),
            challenger=CardList(three, five),
            defender=CardList(three, five),
        )
        yield self.question("special", self._special, cards=whole)
        yield self.arrangement_check()
        roles = Choice(("challenger", "defender"))
        yield self.question("best", self._best, cards=whole, role=Nullable(roles, may_miss=True))
        yield self.question(
            "settle", self._settle, defender=laid, challengers=ListOf(laid, 1, most)
        )

    def why_row(self, row: int, cards: Cards, ranked: Ranked) -> tuple[Reason, ...]:
        short = self.facts.rows[row].cards == min(r.cards for r in self.facts.rows)
        clause = "gonglei-09" if short else "gonglei-11"
        reasons = [reason(clause, f"is.{ranked.type}", cards=list(cards))]
        if ranked.type == "同花":
            reasons.append(reason("gonglei-13", "is.no-run"))
        if not short:
            reasons += self.why_ace(row, cards, ranked)
        name, pays = self.facts.rows[row].name, self.pays[row][ranked.type]
        reasons.append(reason("gonglei-20", "pay.row", row=name, type=ranked.type, pays=pays))
        return tuple(reasons)

    def why_ace(self, row: int, cards: Cards, ranked: Ranked) -> list[Reason]:
        """What the ace may or may not be in cards that are a straight or look like one."""
        ace, top = self.facts.ranks[0], len(self.facts.ranks)
        held = sorted(self.order.strength[card.rank] for card in cards)
        if ace not in {card.rank for card in cards} or len(set(held)) < len(held):
            return []
        size = len(held)
        if ranked.type in ("顺子", "同花顺"):
            low = ranked.ranks[0] < size
            key, high = ("ace.low", self.rank_of(ranked.ranks[0])) if low else ("ace.high", ace)
            return [reason("gonglei-08", key, ace=ace, high=high)]
        if held == [*range(1, size), top]:
            return [reason("gonglei-08", "ace.never-low", ace=ace)]
        # The ranks stand in a ring: do they make one run across its seam?
        gaps = sum((b - a) % top != 1 for a, b in zip(held, [*held[1:], held[0]], strict=True))
        return [reason("gonglei-08", "ace.no-turn", ace=ace)] if gaps == 1 else []

    def _compare(self, row: int, challenger: Cards, defender: Cards) -> Verdict:
        self.check_size("challenger", row, challenger)
        self.check_size("defender", row, defender)
        winner, pays = self.compare(row - 1, challenger, defender)
        mine, other = (self.ranks[row - 1].rank(cards) for cards in (challenger, defender))
        why = self.why_compared(row - 1, challenger, defender)
        reasons = [why]
        for cards, ranked in ((challenger, mine), (defender, other)):
            if ranked.type in ("顺子", "同花顺"):
                ace = self.why_ace(row - 1, cards, ranked)
                reasons += [why for why in ace if why not in reasons]
        if why.message.key.startswith("compare.rank"):
            high, low = why.message.params["high"], why.message.params["low"]
            reasons.append(reason("gonglei-07", "order.higher", high=high, low=low))
        if mine.strength == other.strength:
            reasons.append(reason("gonglei-07", "order.suits"))
        ranked = mine if winner == "challenger" else other
        reasons.append(self.why_paid(row - 1, winner, ranked))
        return Verdict({"winner": winner, "pays": pays}, tuple(reasons))

    def _special(self, cards: Cards) -> Verdict:
        special = self.specials.best(cards)
        split = special and self.specials.split(special, cards)
        answer = {
            "special": special,
            "pays": self.specials.pay(special) if special else 0,
            "split": [list(group) for group in split] if split else None,
        }
        return Verdict(answer, self.why_special(cards))

    def why_special(self, cards: Cards) -> tuple[Reason, ...]:
        """Why a hand is a special one, or is none."""
        classes = self.specials.classes(cards)
        if not classes:
            return (reason("gonglei-16", "special.none"),)
        special, *others = classes
        reasons = [reason("gonglei-16", f"is.{special}"), *self._why_liberal(special, cards)]
        if others:
            reasons.append(reason("gonglei-18", "special.highest", special=special, others=others))
        reasons.append(reason("gonglei-15", "special.wins", special=special))
        pays = self.specials.pay(special)
        return (*reasons, reason("gonglei-19", "special.pay", special=special, pays=pays))

    def _why_liberal(self, special: str, cards: Cards) -> list[Reason]:
        """What in a special hand only counts because the rules read its class widely."""
        counts = Counter(card.rank for card in cards)
        most, ranks = counts.most_common(1)[0][1], self.facts.ranks
        if special in self.facts.special.sets and special != "三个四同":
            sets = self.facts.special.sets[special]
            if most > sets.of:
                rank = counts.most_common(1)[0][0]
                return [reason("gonglei-17", "liberal.set", special=special, rank=rank)]
        middle = self.facts.special.middle
        if special in ("全大", "全小") and counts[middle]:  # type: ignore[index]
            return [reason("gonglei-17", "liberal.middle", special=special, rank=middle)]
        if special == "三顺" and counts[ranks[0]]:  # type: ignore[index]
            ace = ranks[0]
            return [reason("gonglei-17", "liberal.ace", ace=ace),
                    reason("gonglei-08", "ace.in-runs", ace=ace)]  # fmt: skip
        return []

    def special_value(self, special: str | None, role: Role) -> int:
        """What a special hand wins and loses against all opponents of the tally; with None, what their
        special hands win from rows."""
        tally, mine = self.tally, self.specials.level(special)
        pays = self.specials.pay(special) if special else 0
        arranged = tally.hands - sum(tally.specials.values())
        against: list[tuple[str | None, int]] = [(None, arranged), *tally.specials.items()]
        value = 0
        for other, hands in against:
            level = self.specials.level(other)
            if level > mine or (level == mine and role == "challenger" and other):
                value -= hands * self.specials.pay(other) if other else 0
            elif special:
                value += hands * pays
        return value

    def _best(self, cards: Cards, role: Role | None) -> Verdict:
        """The arrangement with the highest mean net pay against an opponent with a random hand.

        Exact over all arrangements (see `RowSearch`). The mean is taken over the tallied opponents of
        `engine.games.gonglei_opponents`: for each row, how many of their rows it beats times its pay,
        less the pays of those that beat it; less what their special hands win. `role` is whose cards
        they are, the challenger's unless given: a tie is the defender's.
        """
        role = role or "challenger"
        cards = self.sorted(cards)
        found = self.search(role).best(cards)
        shared = self.special_value(None, role)
        means = [self._mean(arrangement.value + shared) for arrangement in found]
        special = self.specials.best(cards)
        declared = self._mean(self.special_value(special, role)) if special else None
        best, *others = found
        answer: dict[str, Any] = {
            "rows": [list(row) for row in best.rows],
            "expected": means[0],
            "special": special,
            "declared": declared,
            "runner_up": None,
        }
        reasons = list(self._why_best(best, role))
        hands = self.tally.hands
        reasons.append(reason("gonglei-20", f"best.mean.{role}", expected=means[0], hands=hands))
        for other in others:
            rows = [list(row) for row in other.rows]
            answer["runner_up"] = {"rows": rows, "expected": means[1]}
            parts = {f"row{n}": row for n, row in enumerate(rows)}
            reasons.append(reason("gonglei-20", "best.next", expected=means[1], **parts))
        if declared is not None:
            less = round(declared - means[0], 2)
            key = "best.special.declare" if less >= 0 else "best.special.arrange"
            reasons.append(
                reason("gonglei-24", key, special=special, declared=declared, less=abs(less))
            )
        return Verdict(answer, tuple(reasons))

    def _mean(self, value: int) -> float:
        return round(value / self.tally.hands, 2)

    def _why_best(self, best: Arrangement, role: Role) -> Iterable[Reason]:
        arranged = self.tally.hands - sum(self.tally.specials.values())
        odds = self.odds(role)
        for n, ranked in enumerate(self.ranked(best.rows)):
            wins = round(100 * odds[n].wins(ranked) / arranged)
            yield reason(
                "gonglei-20",
                "best.row",
                row=self.facts.rows[n].name,
                type=ranked.type,
                wins=wins,
                pays=self.pays[n][ranked.type],
            )

    def _settle(self, defender: tuple[str, Any], challengers: Sequence[tuple[str, Any]]) -> Verdict:
        host = self._laid("defender", defender)
        against = [self._laid(f"challengers[{n}]", hand) for n, hand in enumerate(challengers)]
        duels = [self.duel(hand, host) for hand in against]
        reasons: list[Reason] = []
        for n, duel in enumerate(duels, start=1):
            if len(duels) > 1:
                reasons.append(reason("gonglei-01", "duel.number", n=n))
            reasons += duel.reasons
        won = sum(duel.lost for duel in duels)
        reasons.append(reason("gonglei-21", "sheet.defender-all", points=won))
        answer = {"challengers": [self._duel_json(duel) for duel in duels], "defender_won": won}
        return Verdict(answer, tuple(reasons))

    @staticmethod
    def _duel_json(duel: Duel) -> dict[str, Any]:
        rows = duel.rows and [{"winner": winner, "pays": pays} for winner, pays in duel.rows]
        return {"rows": rows, "won": duel.won, "lost": duel.lost}

    def _laid(self, place: str, hand: tuple[str, Any]) -> Laid:
        """A hand of a question. Raises `BadInput` when it cannot have been laid down."""
        kind, value = hand
        if kind == "special":
            special = self.specials.best(value)
            if special is None:
                raise BadInput(f"{place}.special", "bad.not-special")
            return Laid(self.split(self.sorted(value)), special)
        rows: Rows = tuple(self.sorted(row) for row in value)
        lower = self.misplaced(rows)
        if lower is not None and self.facts.misarranged == "refuse":
            name, above = (self.facts.rows[n].name for n in (lower, lower + 1))
            raise BadInput(f"{place}.rows[{lower}]", "bad.misarranged", row=name, next=above)
        return Laid(rows)


GAME = Gonglei
