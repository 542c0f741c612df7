"""Writes every mutant that mutmut makes of a module: mutants.py MODULE FOLDER.

Each goes into a file of its own, named by its number and line. Runs in the environment where mutmut is installed.
"""

import importlib.util
import pathlib
import sys

import mutmut


def main(name, folder):
    path = importlib.util.find_spec(name).origin
    source = pathlib.Path(path).read_text()
    mutations = mutmut.list_mutations(mutmut.Context(source=source, filename=path))
    for number, mutation in enumerate(mutations):
        mutated, _ = mutmut.mutate(mutmut.Context(source=source, filename=path, mutation_id=mutation))
        line = mutation.line_number + 1
        (folder / f"{number:04}-line-{line}.py").write_text(mutated)
    print(path)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
