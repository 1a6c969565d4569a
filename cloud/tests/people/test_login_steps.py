"""The login's state machine, without a database: its order of steps, mails, codes."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.people.login import steps
from stempelwerk_cloud.people.login.steps import LoginState, Waiting, next_step

from cloud.tests.settable_clock import START

ORDER = [
    # reset, authenticator, mail server, linked, remembered -> next
    ("reset beats all", "r....", "password_change"),
    ("authenticator before mail", "-a..-", "totp"),
    ("a remembered device spares the authenticator", "-a..d", None),
    ("a linked address gets a code", "--ml-", "email_otp"),
    ("without an address one is linked", "--m--", "email_input"),
    ("a remembered device spares the mail", "--m.d", None),
    ("without a mail server there is no mail", "---.-", None),
    ("nothing to ask", "---.d", None),
]
EVERY = [
    LoginState(*(bool(number >> place & 1) for place in range(5)))  # type: ignore[call-arg]
    for number in range(32)
]


def _fits(pattern: str, state: LoginState) -> bool:
    parts = (state.reset, state.authenticator, state.mail_server, state.linked, state.remembered)
    return all(sign == "." or (sign != "-") == part for sign, part in zip(pattern, parts, strict=True))


@pytest.mark.parametrize("state", EVERY, ids=str)
def test_the_order_of_steps(state: LoginState) -> None:
    rows = [step for _, pattern, step in ORDER if _fits(pattern, state)]
    assert [next_step(state)] == rows, "exactly one row of the table speaks of each state"


def test_the_steps_come_to_an_end() -> None:
    """Each step removes its own cause, so no login loops."""
    for state in EVERY:
        remaining, taken_steps = state, []
        while (step := next_step(remaining)) is not None:
            taken_steps.append(step)
            step_change = {"reset": False} if step == steps.PASSWORD_CHANGE else {"remembered": True}
            remaining = LoginState(
                **{name: getattr(remaining, name) for name in LoginState.__dataclass_fields__} | step_change
            )
        assert taken_steps == [*([steps.PASSWORD_CHANGE] if state.reset else []), *taken_steps[state.reset :]]
        assert len(taken_steps) <= 2


HASHES = [bytes([number]) * 32 for number in range(4)]
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("mail"), st.sampled_from(HASHES)),
        st.tuples(st.just("fail"), st.just(b"")),
        st.tuples(st.just("code"), st.sampled_from(HASHES)),
        st.tuples(st.just("wait"), st.sampled_from([1, 29, 30, 61, 599, 600])),
    ),
    max_size=60,
)


@given(ACTS)
def test_however_a_login_is_played_its_bounds_hold(acts: list[tuple[str, bytes | int]]) -> None:
    now: datetime = START
    waiting = Waiting(expires_at=now + steps.LIFE)
    sent: list[datetime] = []
    last: tuple[bytes, datetime] | None = None
    wrong = 0
    for act, value in acts:
        if act == "wait" and isinstance(value, int):
            now += timedelta(seconds=value)
        if now >= waiting.expires_at:
            return
        if act == "mail" and isinstance(value, bytes) and steps.mail_pause(waiting, now) is None:
            waiting, last, wrong = steps.record_mail(waiting, value, now), (value, now), 0
            sent.append(now)
        elif act == "fail" and last is not None:
            waiting, last = steps.undo_mail(waiting), None
            sent.pop()
        elif act == "code" and isinstance(value, bytes):
            right = steps.is_right(waiting, value, now)
            in_time = last is not None and now < last[1] + steps.LIFE
            assert right == (last is not None and last[0] == value and in_time and wrong < steps.ATTEMPTS)
            if right:
                return
            waiting, wrong = steps.count_wrong_code(waiting), wrong + 1
        assert waiting.mails <= steps.MAILS
        assert waiting.attempts == wrong
        assert all(later - earlier >= steps.BETWEEN_MAILS for earlier, later in pairwise(sent))


def test_the_sixth_mail_waits_until_the_login_is_over() -> None:
    now, waiting = START, Waiting(expires_at=START + steps.LIFE)
    for _ in range(steps.MAILS):
        assert steps.mail_pause(waiting, now) is None
        waiting = steps.record_mail(waiting, HASHES[0], now)
        assert steps.mail_pause(waiting, now) == steps.BETWEEN_MAILS if waiting.mails < steps.MAILS else steps.LIFE
        now += steps.BETWEEN_MAILS
    assert steps.mail_pause(waiting, now) == waiting.expires_at - now
