#!/usr/bin/env bash
# Time and memory of `ferry annotate` beside `clang-19 -O3 -c`, on the same files, one process each.
#
# The two run alternately, so that a busy machine slows both; the fastest of the rounds counts. A stand-in for libclang
# (bench_libclang.c) measures how long it is inside; what remains is Ferry's own work.
# Wanted: own work at most 0.15 of clang's time, everything (with the second reading) at most 0.70, memory at most 200 MB.
#   ROUNDS=5 ./dev bench [FILE…]     without files: the PolyBench programs of tests/programs
#   FERRY=PATH                       measures that binary instead of building one
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
target=${CARGO_TARGET_DIR:-$PWD/target}
[ -x /usr/bin/time ] || { echo "bench: /usr/bin/time is missing: apt-get install -y time" >&2; exit 2; }
ferry=${FERRY:-$target/release/ferry}
[ -n "${FERRY:-}" ] || cargo build --release --quiet -p ferry

if [ $# -gt 0 ]; then
    files=("$@")
else
    files=()
    for file in tests/programs/polybench/*.c; do
        grep -q '^// part of:' "$file" || files+=("$file")
    done
fi
[ -e "${files[0]:-}" ] || { echo "bench: no files" >&2; exit 2; }
flags=(-I"$(realpath "$(dirname "${files[0]}")")")
sources=()
for file in "${files[@]}"; do sources+=("$(realpath "$file")"); done

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
folder=$(llvm-config-19 --libdir)
export FERRY_REAL_LIBCLANG=$folder/libclang.so.1
[ -e "$FERRY_REAL_LIBCLANG" ] || FERRY_REAL_LIBCLANG=$folder/libclang-19.so.19
mkdir "$out/shim"
clang-19 -shared -fPIC -O1 tests/bench_libclang.c -o "$out/shim/libclang.so" -Wl,--no-as-needed "$FERRY_REAL_LIBCLANG" \
    -Wl,-rpath,"$folder"

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
    measure clang clang-19 -w -O3 -c "${sources[@]}" "${flags[@]}"
    LIBCLANG_PATH=$out/shim/libclang.so measure ferry "$ferry" annotate --diff "${sources[@]}" -- "${flags[@]}"
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
