//! Integer mathematics: canonical symbolic expressions, ranges and proofs. Knows no programs.
