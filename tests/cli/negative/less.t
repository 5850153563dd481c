A line too few.

  $ printf '1\n2\n3\n'
  1
  2
