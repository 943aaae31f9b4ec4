import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";
import { packageRoot } from "#lib/packages";
import { filesOf, textOf } from "../support/repository.js";

describe("the public API", function () {
  this.timeout(120_000);
  const root = packageRoot();
  let program: ts.Program;
  let checker: ts.TypeChecker;
  before(() => {
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
      ts.sys,
      root,
    );
    const files = ["kernel/index.ts", "plugins/main.ts"];
    program = ts.createProgram(
      files.map((file) => join(root, file)),
      options,
    );
    checker = program.getTypeChecker();
  });

  /** Names that a module exports, `export *` resolved, each with the symbol it stands for. */
  function exportsOf(file: string): Map<string, ts.Symbol> {
    const source = program.getSourceFile(join(root, file)) ?? assert.fail(file);
    const module = checker.getSymbolAtLocation(source) ?? assert.fail(file);
    return new Map(
      checker.getExportsOfModule(module).map((symbol) => {
        const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
        return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
      }),
    );
  }

  /** Members of an exported interface, those that plugins merge into it included. */
  function membersOf(name: string): readonly ts.Symbol[] {
    const [declaration] = exportsOf("kernel/index.ts").get(name)?.declarations ?? [];
    return checker.getTypeAtLocation(declaration ?? assert.fail(name)).getProperties();
  }

  it("documents each name of #kernel", () => {
    const exported = [...exportsOf("kernel/index.ts")];
    assert.ok(exported.length > 50, "the exports were resolved");
    const undocumented = exported
      .filter(([, symbol]) => symbol.getDocumentationComment(checker).length === 0)
      .map(([name]) => name);
    assert.deepEqual(undocumented, []);
  });

  it("keeps the types of Preact, and of browsers with them, out of all types but sitewright/theme", () => {
    const files = [
      "plugins/contracts.ts",
      ...filesOf("plugins/*/contract.ts", "plugins/*/contract/*.ts"),
      ...filesOf("kernel/contracts/*.ts"),
    ];
    assert.deepEqual(
      files.filter((file) =>
        /"(?:preact|preact\/[^"]*|#theme)"|browser-contract/.test(textOf(file)),
      ),
      [],
    );
  });

  it("has the doors that first-party plugins have, for all authors", () => {
    const { exports, imports } = JSON.parse(textOf("package.json")) as {
      exports: Record<string, { default: string }>;
      imports: Record<string, { default: string }>;
    };
    const exported = new Set(Object.values(exports).map((door) => door.default));
    // Parts of `sitewright/testing`, and of `sitewright/lib/yaml` for the bundle of the panel.
    const wrapped = new Set(["#testing", "#lib/yaml/reading"]);
    const unexported = Object.entries(imports).filter(
      ([name, door]) => !wrapped.has(name) && !exported.has(door.default),
    );
    assert.deepEqual(
      unexported.map(([name]) => name),
      [],
    );
    assert.doesNotMatch(JSON.stringify(exports), /internal|\*/);
  });

  for (const registry of ["Services", "Engines", "Extensions"]) {
    it(`exports the type of each member of ${registry} from sitewright/plugins`, () => {
      const exported = new Set(exportsOf("plugins/main.ts").values());
      const members = membersOf(registry);
      assert.ok(members.length > 5, "plugins have merged theirs");
      const missing = members.filter((member) => {
        const type = checker.getTypeOfSymbol(member);
        return !exported.has(type.aliasSymbol ?? type.symbol);
      });
      assert.deepEqual(
        missing.map(({ name }) => name),
        [],
      );
    });
  }
});
