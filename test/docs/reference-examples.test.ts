import assert from "node:assert/strict";
import ts from "typescript";
import { Contracts } from "../../scripts/docs/contracts.js";
import { filesOf, repository } from "../support/repository.js";

const FOLDER = `${repository}test/docs/`;

const WRONG = { place: "wrong", code: 'site.use("nothing");' };

describe("the examples in the doc comments of the contracts", () => {
  const { examples } = new Contracts(repository);
  let problems: readonly string[] = [];
  before(function () {
    this.timeout(240_000);
    problems = problemsOf([...examples, WRONG]);
  });

  it("compile in a plugin", () => {
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith(`${WRONG.place}: `)),
      [],
    );
  });

  it("are reported with their place when they do not compile", () => {
    const [problem = ""] = problems.filter((text) => text.startsWith(`${WRONG.place}: `));
    assert.match(problem, /"nothing"' is not assignable/);
  });
});

interface Example {
  place: string;
  code: string;
}

/** Type errors of examples, each compiled as a module of its own. */
function problemsOf(examples: readonly Example[]): string[] {
  const modules = new Map(
    examples.map((example, index) => [`${FOLDER}example-${index}.ts`, example] as const),
  );
  const program = ts.createProgram({
    rootNames: [...modules.keys(), ...filesOf("plugins/*/contract.ts").map(toAbsolute)],
    ...hostOf(modules),
  });
  return [...modules].flatMap(([file, { place }]) => {
    const source = program.getSourceFile(file);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
}

/** The repository's own compiler options, and a file system that includes the modules. */
function hostOf(modules: ReadonlyMap<string, Example>) {
  const { config } = ts.readConfigFile(`${repository}tsconfig.json`, ts.sys.readFile.bind(ts.sys));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository);
  const host = ts.createCompilerHost(options);
  const textOf = (file: string): string | undefined => {
    const example = modules.get(file);
    return example === undefined ? undefined : toModule(example.code);
  };
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => modules.has(file) || fileExists(file);
  host.readFile = (file) => textOf(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const text = textOf(file);
    return text === undefined
      ? getSourceFile(file, language, ...rest)
      : ts.createSourceFile(file, text, language, true);
  };
  return { options, host };
}

/** An example as a module: imports and declarations first, the rest as the body of `setup`. */
function toModule(code: string): string {
  const { statements } = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true);
  const outside = statements.filter(isOutside).map((node) => node.getFullText());
  const body = statements.filter((node) => !isOutside(node)).map((node) => node.getFullText());
  return `import type { SiteContext } from "sitewright";
${outside.join("\n")}
export const example = async (site: SiteContext): Promise<void> => {
${body.join("\n")}
};
`;
}

function isOutside(node: ts.Statement): boolean {
  if (ts.isImportDeclaration(node) || ts.isModuleDeclaration(node)) return true;
  if (!ts.isVariableStatement(node)) return false;
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;
}

function toAbsolute(file: string): string {
  return `${repository}${file}`;
}
