"""攻擂: hands arranged in three rows, each challenger's against the defender's, for the title."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.cards import Card, Cards, remove
from engine.families.arranging import ArrangingState, Laid, Role
from engine.families.dealing import deal_each
from engine.families.row_odds import Tally
from engine.families.row_search import Arrangement, Rows
from engine.fields import CardList, Check, Choice, Int, ListOf, Nullable, OneOf, Reading
from engine.game import Deal, Match, Move, Note, Result, Table, Zone
from engine.games import gonglei_opponents
from engine.games.gonglei_duel import Duel, DuelFacts, DuelGame
from engine.seats import check_each
from engine.values import replace
from engine.verdict import BadInput, Reason, Verdict, message, reason

Total = Literal["gross", "net"]


@dataclass(frozen=True, kw_only=True)
class TitleFacts:
    """The defender holds the title with a net of more than `hold`, a challenger takes it with `take`."""

    hold: int
    take: int


@dataclass(frozen=True, kw_only=True)
class Facts(DuelFacts):
    """`deals_per_pack` is how many deals one shuffle serves, by number of players; `challenger_total`
    says whether a challenger's losses count against what he needs for the title."""

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
    left: tuple[str, ...] = ()
    """What the last deal left of a pack that serves this deal too."""


@dataclass(frozen=True, slots=True)
class Title:
    """What becomes of the title: the defender has held it, or the seat that takes it, or neither."""

    held: bool
    taker: int | None
    reasons: tuple[Reason, ...]


class Gonglei(DuelGame[Facts]):
    facts_type = Facts
    match_type = GongleiMatch

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
        if match.left:
            if not self._deal_of_pack(match):
                raise BadInput("match.left", "bad.left-none")
            count = match.players * self.facts.hand
            CardList(count, count).read(match.left, "match.left", Reading(self.pack(match.players)))
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
        assert isinstance(match, GongleiMatch)
        turn = self._deal_of_pack(match)
        cards = list(self.pack(match.players))
        if turn and match.left:
            left = tuple(map(Card, match.left))
            return self.divide((*left, *remove(tuple(cards), left)), match)
        self.rng(replace(match, deal_no=match.deal_no - turn)).shuffle(cards)
        start = turn * match.players * self.facts.hand
        return self.divide(tuple(cards[start:] + cards[:start]), match)

    def next_match(self, state: ArrangingState, result: Result) -> Match:
        match = super().next_match(state, result)
        assert isinstance(match, GongleiMatch)
        return replace(match, left=state.stock if self._deal_of_pack(match) else ())

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
        return (*super().allows(state, move), *self._given_up(hand))

    def why_plain(self, rows: Rows) -> tuple[Reason, ...]:
        return self._given_up(tuple(card for row in rows for card in row))

    def _given_up(self, hand: Cards) -> tuple[Reason, ...]:
        """What a special hand is worth that is arranged plainly (gonglei-24)."""
        special = self.specials.best(hand)
        if not special:
            return ()
        pays = self.specials.pay(special)
        return (reason("gonglei-24", "special.given-up", special=special, pays=pays),)

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
