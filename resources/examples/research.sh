#!/bin/bash
# A researcher's day in one script: why is nobody found, what do other parameters give, which are best on frames
# that were not tuned on; a figure and a film of the outcome. Usage: research.sh PROJECT TRUTH.csv OUT
#
# TRUTH is ground truth on the floor (MOTChallenge columns); frames, places and the parameter are those of a short
# recording of two people, 40 frames long: set your own.
set -euo pipefail
project=$1 truth=$2 out=$3
cli=${VANTAGE_CLI:-vantage-cli}
mkdir -p "$out"

# Parameters that are wrong, kept under a name with their results.
"$cli" variants add "$project" "too tall" --set people.min_height_m=1.97
"$cli" run "$project" --variant "too tall" --json > "$out/too_tall.json"

# Why is nobody where the first person of the truth stands in frame 10? CSV frames count from 1.
place=$(awk -F, '$1 == 11 && $2 == 1 { print $8 "," $9 }' "$truth")
"$cli" why "$project" --frame 10 --place "$place" --set people.min_height_m=1.97 | tee "$out/why.txt"

# The project's own parameters, and where the two differ.
"$cli" run "$project" --json > "$out/run.json"
"$cli" variants compare "$project" "too tall" --json > "$out/difference.json"

# The threshold swept on the first 24 frames and tested on the next 13.
"$cli" sweep "$project" --set-range people.min_height_m=1:1.97:3 --tune 0:24 --test 24:37 --gt "$truth" \
  --metric moda,idf1 --out "$out/sweep"
best=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i } $column["best"] == 1 { print $2 }' "$out/sweep/sweep.csv")
"$cli" variants add "$project" best --set "people.min_height_m=$best"
"$cli" variants use "$project" best
"$cli" run "$project" --json > "$out/best.json"

# What to show.
"$cli" figure "$project" --view plan --frame 10 --width 640 --out "$out/plan.png"
"$cli" figure "$project" --view plan --frames 0:13 --width 640 --out "$out/plan.mp4"
