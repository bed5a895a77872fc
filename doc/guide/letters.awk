# 400 letters of four themes, a line each: what the guide fits. awk -f letters.awk >letters.txt
function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
BEGIN {
  state = 12345
  theme[1] = "harbour ship sail anchor wind captain island storm coast crew lighthouse tide"
  theme[2] = "oven flour butter sugar kitchen recipe bread cinnamon apple cake dough spoon"
  theme[3] = "violin concert melody orchestra piano stage singer rhythm opera audience choir string"
  theme[4] = "garden rose soil seed tulip spade hedge blossom autumn shade meadow gardener"
  for (i = 1; i <= 4; ++i) words[i] = split(theme[i], list) + 0
  for (letter = 1; letter <= 400; ++letter) {
    main = 1 + int(uniform() * 4)
    other = 1 + int(uniform() * 4)
    line = ""
    for (n = 0; n < 24; ++n) {
      split(theme[uniform() < 0.75 ? main : other], list)
      line = line (n ? " " : "") list[1 + int(uniform() * uniform() * 12)]
    }
    print line
  }
}
