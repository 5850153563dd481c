Wrong output.

  $ echo right
  wrong
