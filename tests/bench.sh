#!/usr/bin/env bash
# Time and memory of `ferry annotate` beside `clang-19 -O3 -c`, on the same files, one process each.
#
# The two run alternately, so that a busy machine slows both; the fastest of the rounds counts. `ferry` says on standard
# error how long it was inside libclang when FERRY_TIMINGS is set; what remains is Ferry's own work.
# Wanted: own work at most 0.15 of clang's time, everything (with the second reading) at most 0.70, memory at most 200 MB.
#   ROUNDS=5 ./dev bench [FILE…]     without files: the PolyBench programs of tests/programs
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
target=${CARGO_TARGET_DIR:-$PWD/target}
[ -x /usr/bin/time ] || { echo "bench: /usr/bin/time is missing: apt-get install -y time" >&2; exit 2; }
cargo build --release --quiet -p ferry
ferry=$target/release/ferry

if [ $# -gt 0 ]; then
    files=("$@")
else
    files=()
    for file in tests/programs/polybench/*.c; do
        grep -q '^// part of:' "$file" || files+=("$file")
    done
fi
[ -e "${files[0]:-}" ] || { echo "bench: no files" >&2; exit 2; }
sources=()
for file in "${files[@]}"; do sources+=("$(realpath "$file")"); done

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
measure() { # measure NAME COMMAND…: appends "wall user system kilobytes" to $out/NAME
    local name=$1
    shift
    (cd "$out" && /usr/bin/time -o "$out/$name.now" -f '%e %U %S %M' "$@" >"$out/$name.stdout" 2>"$out/$name.stderr") || {
        echo "bench: $name failed:" >&2
        head -n 5 "$out/$name.stderr" >&2
        exit 2
    }
    tail -n 1 "$out/$name.now" >>"$out/$name"
}
for ((round = 0; round < rounds; round++)); do
    measure clang clang-19 -w -O3 -c "${sources[@]}"
    FERRY_TIMINGS=1 measure ferry "$ferry" annotate --diff "${sources[@]}"
    # "ferry: libclang 0.123 s"
    sed -n 's/^ferry: libclang \([0-9.]*\) s.*/\1/p' "$out/ferry.stderr" >>"$out/libclang"
done

awk -v files="${#sources[@]}" -v rounds="$rounds" -v libclang="$out/libclang" '
    function least(a, b) { return a == "" || b < a ? b : a }
    { cpu = $2 + $3; key = FILENAME; sub(/.*\//, "", key)
      wall[key] = least(wall[key], $1); total[key] = least(total[key], cpu); if ($4 > memory[key]) memory[key] = $4 }
    END {
        while ((getline line < libclang) > 0) inside = least(inside, line)
        printf "%d files, fastest of %d rounds\n\n", files, rounds
        printf "| | wall s | processor s | memory MB |\n|---|---|---|---|\n"
        printf "| clang-19 -O3 -c | %.2f | %.2f | %.0f |\n", wall["clang"], total["clang"], memory["clang"] / 1024
        printf "| ferry annotate | %.2f | %.2f | %.0f |\n\n", wall["ferry"], total["ferry"], memory["ferry"] / 1024
        ratio = total["ferry"] / total["clang"]
        bad = ratio > 0.70 || memory["ferry"] > 200 * 1024
        printf "everything: %.3f of clang (wanted: at most 0.70)\n", ratio
        if (inside != "") {
            own = (total["ferry"] - inside) / total["clang"]
            bad = bad || own > 0.15
            printf "beyond libclang: %.3f of clang (wanted: at most 0.15)\n", own
        } else {
            print "beyond libclang: not known, ferry does not report its time in libclang"
        }
        printf "memory: %.0f MB (wanted: at most 200)\n", memory["ferry"] / 1024
        exit bad
    }' "$out/clang" "$out/ferry"
