The shell ends before the last command.

  $ exit 0

  $ echo never
  never
