#!/usr/bin/env python3
"""Do Ferry's regions agree with those of pet, the polyhedral extraction tool, on pet's own tests?

    pet.py FERRY FOLDER [--table FILE]      FOLDER: the `tests` of https://repo.or.cz/pet.git (github: ppcg-gpu/pet)

pet keeps the access relations of every statement beside each input (`.scop`). Here they are put together to what is read
and written of each array, and compared with what `ferry show regions` says of the function, by isl (through ctypes), under
the test's own context. Prints a table: agree, tighter, wider, different, not comparable, with causes. What it cannot do:
scalars (Ferry follows them by name), members of structs.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import ctypes.util
import glob
import os
import re
import subprocess


class Isl:
    """The few functions of isl that are needed. Objects are pointers that are never freed: the program is short."""

    def __init__(self):
        name = ctypes.util.find_library("isl") or "libisl.so.23"
        self.library = ctypes.CDLL(name)
        self.library.isl_ctx_alloc.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.library.isl_ctx_alloc())
        self.library.isl_options_set_on_error(self.context, 1)  # go on, silently enough
        self.library.isl_ctx_set_max_operations(self.context, ctypes.c_ulong(0))

    def call(self, name, *arguments):
        function = getattr(self.library, "isl_" + name)
        function.restype = ctypes.c_void_p
        result = function(*[ctypes.c_void_p(one) if isinstance(one, int) else one for one in arguments])
        return result or None

    def read(self, kind, text):
        return self.call(kind + "_read_from_str", self.context, text.encode())

    def copy(self, kind, value):
        return self.call(kind + "_copy", value)

    def ask(self, name, one, other):
        function = getattr(self.library, "isl_" + name)
        function.restype = ctypes.c_int
        return function(ctypes.c_void_p(one), ctypes.c_void_p(other)) == 1

    def true_of(self, name, one):
        function = getattr(self.library, "isl_" + name)
        function.restype = ctypes.c_int
        return function(ctypes.c_void_p(one)) == 1

    def text(self, set_):
        function = self.library.isl_set_to_str
        function.restype = ctypes.c_char_p
        return (function(ctypes.c_void_p(set_)) or b"").decode()

    def dimensions(self, set_):
        return self.library.isl_set_dim(ctypes.c_void_p(set_), 3)

    def name(self, set_):
        function = self.library.isl_set_get_tuple_name
        function.restype = ctypes.c_char_p
        found = function(ctypes.c_void_p(set_))
        return found.decode() if found else None

    def union(self, one, other):
        return other if one is None else self.call("set_union", one, other)


KEY = re.compile(r"^(\s*)(?:- )?(\w+): ?(.*)$")


def entries(path):
    """The keys and values of a `.scop`, in order; texts in quotes may go on over several lines."""
    found, open_text = [], None
    with open(path) as file:
        for line in file:
            line = line.rstrip("\n")
            if open_text is not None:
                found[-1][1] += " " + line.strip()
                if line.rstrip().endswith(open_text):
                    open_text = None
                continue
            match = KEY.match(line)
            if not match:
                continue
            value = match[3].strip()
            found.append([match[2], value])
            if value[:1] in "'\"" and value[:1] and (len(value) < 2 or not value.endswith(value[0])):
                open_text = value[0]
    return [(key, value.strip("'\"")) for key, value in found]


def of_pet(isl, path):
    """What is read and written of each array: {(verb, name): set}; the context; the extent of each array."""
    touched, context, domain, index, extents = {}, None, None, None, {}
    trouble = collections.Counter()
    for key, value in entries(path):
        if key == "context" and context is None:
            context = isl.read("set", value)
        elif key == "extent":
            extent = isl.read("set", value)
            own = isl.name(extent) if extent else None
            if own:
                extents[own] = isl.call("set_reset_tuple_id", extent)
        elif key == "domain" and value.startswith(("{", "[")):
            domain = isl.read("set", value)
            if domain and isl.true_of("set_is_wrapping", domain):
                domain = isl.call("map_domain", isl.call("set_unwrap", domain))
        elif key == "index":
            index = isl.read("map", value)
        elif key in ("read", "write") and value == "1" and index and domain:
            relation = isl.copy("map", index)
            within = isl.copy("set", domain)
            if isl.true_of("map_domain_is_wrapping", relation):
                # The subscript is data: any value.
                relation = isl.call("map_intersect_domain", isl.call("map_curry", relation), within)
                wrapped = isl.call("map_range", relation) if relation else None
                image = isl.call("map_range", isl.call("set_unwrap", wrapped)) if wrapped else None
            else:
                relation = isl.call("map_intersect_domain", relation, within)
                image = isl.call("map_range", relation) if relation else None
            if image is None:
                trouble["an access that is not read here"] += 1
                continue
            name = isl.name(image)
            if name is None or isl.dimensions(image) == 0 or name.startswith("__pet_"):
                continue
            if isl.true_of("set_is_wrapping", image):
                trouble["a member of a struct"] += 1
                continue
            where = ("reads" if key == "read" else "writes", name)
            image = isl.call("set_reset_tuple_id", image)
            known = touched.get(where)
            if known is not None and isl.dimensions(known) != isl.dimensions(image):
                trouble["rows and elements of one array"] += 1
                continue
            touched[where] = isl.union(known, image)
    return touched, context, extents, trouble


LINE = re.compile(r"^(\s*)(reads|writes) (.+?) (exactly|at most) (\{.*?\})(?: \(if .*\))?(?:: (.*))?$")


def of_ferry(ferry, path):
    """The same of Ferry: {(verb, name): [(text of a set, exact, cause)]}, and what is not known."""
    done = subprocess.run([ferry, "show", "regions", path], capture_output=True, text=True, timeout=300)
    with open(path) as file:
        before = file.read().split("#pragma scop")[0]
    wanted = (re.findall(r"^\w[^;={}()]*?\b(\w+) ?\(", before, re.MULTILINE) or [""])[-1]
    here = False
    found, unknown, function_level = collections.defaultdict(list), {}, set()
    if done.returncode not in (0, 2):
        return found, {"all": f"status {done.returncode}"}, done.stderr
    for line in done.stdout.splitlines():
        indent = len(line) - len(line.lstrip())
        if line.startswith("function "):
            here = line.split()[1] == wanted
        if indent > 4 or not here:
            continue
        match = LINE.match(line)
        if match:
            where = (match[2], match[3])
            if indent == 2:
                function_level.add(where)
            elif where in function_level:
                continue
            found[where].append((match[5], match[4] == "exactly", match[6]))
        elif indent == 2 and " something that is not known: " in line:
            verb, _, why = line.strip().partition(" something that is not known: ")
            unknown.setdefault(verb, why)
    return found, unknown, done.stderr


WORD = re.compile(r"[A-Za-z_]\w*")


def set_of(isl, text):
    """A set as Ferry writes it, with its parameters declared."""
    head = re.match(r"\{ \[([^\]]*)\]", text)
    own = set(WORD.findall(head[1])) if head else set()
    words = set(WORD.findall(text)) - own - {"and", "or", "mod", "floor", "exists", "min", "max", "not", "true", "false"}
    bound = set(re.findall(r"exists ?\(?([^:]*):", text))
    for names in bound:
        words -= set(WORD.findall(names))
    return isl.read("set", f"[{', '.join(sorted(words))}] -> {text}")


def compare(isl, pet, context, extents, ours, unknown):
    """Rows (verb, array, answer, cause)."""
    rows = []
    for (verb, name), theirs in sorted(pet.items()):
        known = ours.get((verb, name))
        if known is None:
            if verb in unknown:
                rows.append((verb, name, "not comparable", "Ferry: " + unknown[verb]))
            elif any(other == name or other.split(" ")[0] == name for _, other in ours):
                rows.append((verb, name, "not comparable", "other coordinates"))
            else:
                rows.append((verb, name, "not comparable", "Ferry says nothing of it"))
            continue
        union, exact, cause = None, True, None
        for text, is_exact, why in known:
            one = set_of(isl, text)
            if one is None:
                union = None
                break
            union = isl.union(union, one)
            exact, cause = exact and is_exact, cause or why
        if union is None:
            rows.append((verb, name, "not comparable", "not affine: " + (cause or known[0][0])[:60]))
            continue
        if isl.dimensions(union) != isl.dimensions(theirs):
            rows.append((verb, name, "not comparable", "other coordinates"))
            continue
        if context:
            union = isl.call("set_intersect_params", union, isl.copy("set", context))
            theirs = isl.call("set_intersect_params", theirs, isl.copy("set", context))
        if isl.ask("set_is_equal", union, theirs):
            answer = "agree"
        elif isl.ask("set_is_subset", union, theirs):
            answer = "tighter"
        elif isl.ask("set_is_subset", theirs, union):
            answer = "wider"
        else:
            answer = "different"
        if answer in ("wider", "different") and name in extents:
            # C says that subscripts stay inside the object; pet uses it.
            inside = isl.call("set_intersect", isl.copy("set", union), isl.copy("set", extents[name]))
            if inside and isl.ask("set_is_subset", inside, theirs):
                rows.append((verb, name, "agree inside the object", cause))
                continue
        if answer in ("wider", "different"):
            cause = cause or f"{isl.text(union)} / pet: {isl.text(theirs)}"
        rows.append((verb, name, answer, cause if answer != "agree" else None))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ferry")
    parser.add_argument("folder")
    parser.add_argument("--table")
    options = parser.parse_args()
    isl = Isl()
    paths = sorted(glob.glob(os.path.join(options.folder, "*.c")))
    paths = [path for path in paths if os.path.exists(path[:-2] + ".scop")]
    answers, causes, listed, trouble = collections.Counter(), collections.Counter(), [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (ours, unknown, _) in zip(paths, pool.map(lambda path: of_ferry(options.ferry, path), paths)):
            pet, context, extents, bad = of_pet(isl, path[:-2] + ".scop")
            trouble.update(bad)
            for verb, name, answer, cause in compare(isl, pet, context, extents, ours, unknown):
                answers[answer] += 1
                if answer != "agree":
                    causes[(answer, re.sub(r" of \w+$", " of a function", (cause or "").split(" / pet")[0]))] += 1
                if answer in ("wider", "different", "tighter"):
                    listed.append(f"{os.path.basename(path)}: {verb} {name}: {answer}: {cause}")
    lines = ["| answer | regions |", "|---|---|"]
    lines += [f"| {name} | {count} |" for name, count in answers.most_common()]
    print("\n".join(lines))
    print(f"{len(paths)} inputs; left out: {dict(trouble)}")
    for (answer, cause), count in causes.most_common(40):
        print(f"{count:4} {answer}: {cause[:150]}")
    print("\n".join(listed))
    if options.table:
        with open(options.table, "w") as file:
            file.write("\n".join(lines) + "\n")


main()
