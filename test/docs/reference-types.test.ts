import assert from "node:assert/strict";
import ts from "typescript";
import { filesOf, textOf } from "../support/repository.js";

/** Types of TypeScript, JavaScript, Node.js and browsers that need no explanation. */
const OF_THE_LANGUAGE = new Set(
  (
    "AbortSignal AsyncDisposable AsyncGenerator AsyncIterable Buffer BufferEncoding Date Error Exclude Extract Generator Iterable " +
    "IterableIterator Map NodeJS Omit Parameters Partial Pick Promise PropertyKey Readonly ReadonlyMap ReadonlySet Record RegExp RegExpExecArray RequestInit Required " +
    "Response ReturnType Set Uint8Array URL URLSearchParams unique"
  ).split(" "),
);
const MAX_PAGE_BYTES = 60_000;

describe("the reference", () => {
  const folder = "content/06.extend/13.reference";
  const pages = filesOf(`${folder}/**/docs.md`).map((file) => ({ file, text: textOf(file) }));
  const texts = pages.map(({ text }) => text).join("\n");
  const shown = new Set(
    [...texts.matchAll(/^##+ (?:Type )?(?<name>[A-Z]\w*)$/gm)].map(
      ({ groups }) => groups?.["name"],
    ),
  );
  const foreign = new Set(
    [...texts.matchAll(/`(?<name>\w+)` \(package `[^`]+`\)/g)].map(
      ({ groups }) => groups?.["name"],
    ),
  );

  it("shows every type that a signature in it names", () => {
    const named = pages.flatMap(({ file, text }) =>
      signaturesOf(text).flatMap((code) => namesOf(code).map((name) => `${file} ${name}`)),
    );
    assert.ok(named.length > 1_000, "the signatures were found");
    const missing = named.filter((entry) => {
      const name = entry.split(" ").at(-1) ?? "";
      return !shown.has(name) && !foreign.has(name) && !OF_THE_LANGUAGE.has(name);
    });
    assert.deepEqual([...new Set(missing)], []);
  });

  it("describes each type before its members", () => {
    const entries = pages
      .filter(({ file }) => /\/05\.types\/.+\/docs\.md$/.test(file))
      .flatMap(({ text }) => text.split(/^## /m).slice(1));
    assert.ok(entries.length > 400);
    const bare = entries.filter(
      (entry) => !/^\w+\n\n(?!```|Types: |Members: |Type parameters: ).*[.:]/.test(entry),
    );
    assert.deepEqual(
      bare.map((entry) => entry.split("\n")[0]),
      [],
    );
  });

  it("links only to types that have an entry, each once on its page", () => {
    const anchors = new Map(
      pages.map(({ file, text }) => {
        const address = file
          .replace("content/", "/")
          .replace(/\/docs\.md$/, "")
          .replace(/\/\d+\./g, "/");
        const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, title = ""]) =>
          title
            .toLowerCase()
            .replace(/[^\w -]/g, "")
            .replaceAll(" ", "-"),
        );
        return [address, headings] as const;
      }),
    );
    const links = [...texts.matchAll(/\]\((\/extend\/reference[^)#]*)#([^)]+)\)/g)];
    assert.ok(links.length > 1_000, "the links were found");
    const broken = links.filter(
      ([, page = "", anchor]) =>
        anchors.get(page)?.filter((heading) => heading === anchor).length !== 1,
    );
    assert.deepEqual([...new Set(broken.map(([, page, anchor]) => `${page}#${anchor}`))], []);
  });

  it("has pages of a size that a reader can scroll", () => {
    const large = pages.filter(({ text }) => Buffer.byteLength(text) > MAX_PAGE_BYTES);
    assert.deepEqual(
      large.map(({ file, text }) => `${file}: ${Buffer.byteLength(text)}`),
      [],
    );
  });
});

/** Blocks of members and of aliases, as declarations; without the examples. */
function signaturesOf(text: string): string[] {
  const generated = /<!-- generated: [\s\S]*<!-- end: /.exec(text)?.[0] ?? "";
  return generated.split(/^##+ /m).flatMap((entry) => {
    const parameters = /^Type parameters: `(<.*>)`/m.exec(entry)?.[1] ?? "<C, K, T>";
    return [...entry.matchAll(/(?<before>.*)\n\n```ts\n(?<code>[\s\S]*?)\n```/g)]
      .filter(({ groups }) => groups?.["before"] !== "Example:")
      .map(({ groups }) => groups?.["code"] ?? "")
      .map((code) =>
        /^type \w+(?:<.*>)? =/.test(code) ? code : `declare class X${parameters} {\n${code}\n}`,
      );
  });
}

/** The types that a declaration names, without its type parameters. */
function namesOf(code: string): string[] {
  const source = ts.createSourceFile("x.ts", code, ts.ScriptTarget.Latest, true);
  const [names, parameters] = [new Set<string>(), new Set<string>(["X"])];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeParameterDeclaration(node)) parameters.add(node.name.text);
    if (ts.isTypeReferenceNode(node)) names.add(node.typeName.getText().split(".")[0] ?? "");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...names].filter((name) => !parameters.has(name));
}
