import assert from "node:assert/strict";
import { filesOf, textOf } from "../support/repository.js";

const { peerDependencies } = JSON.parse(textOf("package.json")) as {
  peerDependencies: Record<string, string>;
};
/** Found where the feature is: the command of esbuild is that of an error message. */
const ELSEWHERE: ReadonlySet<string> = new Set(["esbuild"]);

describe("the commands that add optional packages, in the documentation", () => {
  const pages = [...filesOf("content/**/*.md"), "README.md", "CHANGELOG.md"];
  const commands = pages.flatMap((page) =>
    [...textOf(page).matchAll(/npm install ([^\n`]+)/g)].flatMap(([, words = ""]) =>
      words.split(" ").map((word) => ({ page, word })),
    ),
  );

  it("have the versions of package.json", () => {
    for (const { page, word } of commands) {
      const name = /^(?:@[^/@]+\/)?[^@]+/.exec(word)?.[0] ?? "";
      const range = peerDependencies[name];
      if (range !== undefined) assert.equal(word, `${name}@${range}`, page);
    }
  });

  it("are all on the page about the installation", () => {
    const text = textOf("content/02.start/01.install/docs.md");
    for (const [name, range] of Object.entries(peerDependencies)) {
      if (!ELSEWHERE.has(name)) assert.ok(text.includes(`${name}@${range}`), name);
    }
  });
});
