# What gdb finds on the stacks of a core: a line of JSON for each thread, with its number in the system and the program
# counters of its frames, innermost first. Functions that were inlined, or jumped to another as their last step, have no
# frame of their own and are left out.
# usage: gdb -batch -x frames.py NODE CORE
import json

import gdb

MOST = 64
for thread in gdb.selected_inferior().threads():
    thread.switch()
    counters, frame = [], gdb.newest_frame()
    while frame is not None and len(counters) < MOST:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            counters.append(frame.pc())
        try:
            frame = frame.older()
        except gdb.error:
            break
    print('FRAMES ' + json.dumps({'thread': thread.ptid[1], 'counters': counters}))
