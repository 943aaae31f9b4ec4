import assert from "node:assert/strict";
import fc from "fast-check";
import { editYaml, readYaml, YamlEditError, type YamlChange } from "#lib/yaml";
import { documents, newValues, type RandomDocument } from "./documents.js";

const all = 100_000;
const rounds = process.env.ROUNDS === "all" ? all : Number(process.env.ROUNDS ?? 300);
const numRuns = Number.isInteger(rounds) ? rounds : 300;
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };

type Values = Record<string, unknown>;

function valuesOf(text: string): Values {
  const { mistake, values } = readYaml(text, { allowsMore: true });
  assert.equal(mistake, null, text);
  return (values ?? {}) as Values;
}

/** A change of one entry, given the values before. */
type Draw = { readonly kind: number; readonly at: number; readonly value: unknown };

const draws = fc.array(fc.record({ kind: fc.nat(7), at: fc.nat(20), value: newValues }), {
  minLength: 1,
  maxLength: 5,
});

function changeOf({ entries }: RandomDocument, values: Values, draw: Draw): YamlChange {
  const own = entries.filter(({ isAmbiguous }) => isAmbiguous !== true);
  const name = own[draw.at % Math.max(own.length, 1)]?.name;
  if (draw.kind === 0 || name === undefined) return { path: [`new ${draw.at}`], value: draw.value };
  if (draw.kind === 1) return { path: [name], value: undefined };
  const old = Object.hasOwn(values, name) ? values[name] : undefined;
  // A key that an earlier change of the list has removed.
  if (old === undefined && draw.kind > 4) return { path: [name, "added"], value: draw.value };
  if (Array.isArray(old) && draw.kind > 2) {
    const at = draw.at % Math.max(old.length, 1);
    const next = [
      [...old, draw.value],
      old.toSpliced(at, 1),
      old.toSpliced(at, 0, draw.value),
      old.toReversed(),
      old.map((item: unknown, index) => (index === at ? draw.value : item)),
    ][draw.kind - 3];
    return { path: [name], value: old.length === 0 ? [draw.value] : next };
  }
  if (typeof old === "object" && old !== null && !Array.isArray(old) && draw.kind > 2) {
    const keys = Object.keys(old);
    const key = keys[draw.at % Math.max(keys.length, 1)];
    if (draw.kind === 3 || key === undefined) return { path: [name, "added"], value: draw.value };
    return { path: [name, key], value: draw.kind === 4 ? undefined : draw.value };
  }
  return { path: [name], value: draw.value };
}

function applied(values: Values, { path, value }: YamlChange): Values {
  const [name = "", inner] = path;
  const entries = new Map(Object.entries(values));
  const old = entries.get(name);
  const next =
    inner === undefined ? value : applied((old ?? {}) as Values, { path: [inner], value });
  if (next === undefined) entries.delete(name);
  else entries.set(name, next);
  return Object.fromEntries(entries);
}

/** The texts that must stand in the result, in this order. */
function chunksOf(document: RandomDocument, changed: ReadonlySet<string>): string[] {
  const { head, entries } = document;
  // Empty lines around may belong to a text that keeps its last lines.
  const kept = entries.filter(({ name }) => !changed.has(name)).map(({ text }) => text.trim());
  return [head.trim(), ...kept];
}

/** Where a text stands from the start of a line on, white space before it aside; -1: nowhere. */
function lineIndex(text: string, part: string, from: number): number {
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
    if (part === "" || text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "") return at;
  }
  return -1;
}

describe("editYaml, with random documents", () => {
  it(`changes what is named and no other byte (${numRuns} rounds)`, () => {
    let refused = 0;
    fc.assert(
      fc.property(documents, draws, (document, drawn) => {
        const before = valuesOf(document.text);
        let after = before;
        const changes: YamlChange[] = [];
        for (const draw of drawn) {
          const change = changeOf(document, after, draw);
          changes.push(change);
          after = applied(after, change);
        }
        const names = new Set(changes.map(({ path }) => path[0] ?? ""));
        let next: string;
        try {
          next = editYaml(document.text, changes, {
            lineBreak: document.lineBreak === "\r\n" ? "\r\n" : "\n",
          });
        } catch (error) {
          // Only an anchor that another key uses may stand in the way.
          assert.ok(error instanceof YamlEditError, String(error));
          assert.match(error.message, /is shared/, `${document.text}\n${JSON.stringify(changes)}`);
          refused += 1;
          return;
        }
        const about = JSON.stringify({ text: document.text, changes, next }, null, 1);
        assert.deepEqual(normal(valuesOf(next)), normal(after), about);
        let at = 0;
        let gaps = 0;
        for (const chunk of chunksOf(document, names)) {
          const found = lineIndex(next, chunk, at);
          assert.ok(found >= 0, `${JSON.stringify(chunk)} is missing: ${about}`);
          if (next.slice(at, found).trim() !== "") gaps += 1;
          at = found + chunk.length;
        }
        // New keys stand together, and each changed entry in its place.
        // The first key of an empty document stands below its comments.
        const tail = document.entries.length === 0 ? "" : document.tail.trim();
        assert.ok(next.trimEnd().endsWith(tail), about);
        if (next.slice(at).trim() !== tail) gaps += 1;
        assert.ok(gaps <= names.size, about);
        assert.equal(next.startsWith("\uFEFF"), document.text.startsWith("\uFEFF"), about);
        if (document.lineBreak === "\r\n") assert.doesNotMatch(next, /[^\r]\n/, about);
      }),
      { numRuns, ...seed },
    );
    assert.ok(refused < numRuns / 2, `${refused} of ${numRuns} changes were refused`);
  });

  it(`changes one line for one line inside a map (${numRuns} rounds)`, () => {
    fc.assert(
      fc.property(
        documents,
        fc.nat(50),
        fc.constantFrom("x", "01", 5, true, "a: b"),
        (document, at, value) => {
          const before = valuesOf(document.text);
          const paths = Object.entries(before).flatMap(([name, inner]) =>
            typeof inner === "object" && inner !== null && !Array.isArray(inner)
              ? Object.entries(inner).flatMap(([key, old]) =>
                  typeof old === "object" ? [] : [[name, key]],
                )
              : [],
          );
          const path = paths[at % Math.max(paths.length, 1)];
          if (path === undefined) return;
          let next: string;
          try {
            next = editYaml(document.text, [{ path, value }]);
          } catch (error) {
            assert.ok(error instanceof YamlEditError, String(error));
            return;
          }
          const [old, now] = [document.text.split("\n"), next.split("\n")];
          assert.equal(now.length, old.length, next);
          const differing = now.filter((line, index) => line !== old[index]);
          assert.ok(differing.length <= 1, JSON.stringify({ text: document.text, path, next }));
        },
      ),
      { numRuns, ...seed },
    );
  });
});

/** Without prototypes, and with one zero: `-0` is written as `0`. */
function normal(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]): [string, unknown] => [key, normal(inner)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
