#!/usr/bin/env python3
"""Types into a shell on a terminal, as a user does, and prints what the terminal shows.

usage: keys.py SECONDS TEXT PROGRAM [ARGUMENT...]; TEXT is typed once PROGRAM shows a prompt that ends in `> `, and the
terminal is read until nothing has come for SECONDS.
"""

import os
import pty
import select
import sys
import time

seconds, text, program = float(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape"), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "dumb"
    os.execvp(program[0], program)


def shown(enough):
    """What comes until `enough` is in it or nothing comes any more."""
    seen, end = b"", time.monotonic() + 20
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], seconds)
        if not ready:
            if enough is None:
                break
            continue
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        seen += piece
        if enough is not None and enough in seen:
            break
    return seen


shown(b"> ")
os.write(terminal, text.encode())
sys.stdout.write(shown(None).decode(errors="replace"))
os.close(terminal)
