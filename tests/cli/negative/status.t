A status that is not there.

  $ false
