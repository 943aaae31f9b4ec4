import assert from "node:assert/strict";
import { parseSpecifier } from "../../../lib/packages/specifier.js";

describe("a plugin's specifier", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const accepted: Record<string, object> = {
    "./plugins/x.ts": { kind: "path", path: "plugins/x.ts" },
    "./a/../x.ts": { kind: "path", path: "x.ts" },
    "npm:name@1.2.3": { kind: "npm", name: "name", range: "1.2.3" },
    "npm:@scope/name@^1.2": { kind: "npm", name: "@scope/name", range: "^1.2" },
    "npm:name@~1.2.3-beta.1": { kind: "npm", name: "name", range: "~1.2.3-beta.1" },
    "file:./vendor/x-1.0.0.tgz": { kind: "tarball", path: "vendor/x-1.0.0.tgz" },
    "file:x.tar.gz": { kind: "tarball", path: "x.tar.gz" },
    [`git+https://host/a/x.git#${commit}`]: {
      kind: "git",
      url: "git+https://host/a/x.git",
      commit,
    },
    [`git+ssh://git@host/a/x.git#${commit}`]: {
      kind: "git",
      url: "git+ssh://git@host/a/x.git",
      commit,
    },
    search: { kind: "name", name: "search" },
  };
  for (const [text, specifier] of Object.entries(accepted)) {
    it(`may be ${text}`, () => {
      assert.deepEqual(parseSpecifier(text), { specifier });
    });
  }

  const refused = [
    "npm:name",
    "npm:name@",
    "npm:name@latest",
    "npm:name@*",
    "npm:name@>=1",
    "npm:name@1 || 2",
    "npm:name@x",
    "npm:../x@1.0.0",
    "npm:--flag@1.0.0",
    "npm:a;rm@1.0.0",
    "npm:@scope@1.0.0",
    "npm:",
    "../x.ts",
    "./../x.ts",
    "./a/../../x.ts",
    "/etc/x.ts",
    ".\\x.ts",
    "./a\\..\\x.ts",
    "./a\0.ts",
    "..",
    "./..",
    "https://x.y/z.ts",
    "file:///x.ts",
    "file:../x.tgz",
    "file:./a/../../x.tgz",
    "file:/x.tgz",
    "file:x",
    "file:x.zip",
    "file:",
    "git+ssh://x/y.git",
    "git+https://x/y.git#main",
    `git+https://x/y.git#${commit}0`,
    `git+https://x/y.git#${commit.slice(1)}`,
    `git+http://x/y.git#${commit}`,
    `git://x/y.git#${commit}`,
    `git+ext://sh#${commit}`,
    `git+https://ada:pw@x/y.git#${commit}`,
    `git+https://x/y z.git#${commit}`,
    "data:text/javascript,1",
    "node:fs",
    "github:a/b",
    "jsr:@scope/name@1.0.0",
    "",
    " ",
    "a b",
    "x\n- evil",
    "--flag",
  ];
  for (const text of refused) {
    it(`may not be ${JSON.stringify(text)}, and has a fix`, () => {
      const parsed = parseSpecifier(text);
      assert.ok("fault" in parsed && parsed.fault.expected !== "" && parsed.fault.fix !== "");
    });
  }

  it("of a jsr package is rejected with its npm name", () => {
    const parsed = parseSpecifier("jsr:@scope/name@1.2.0");
    assert.ok("fault" in parsed);
    assert.match(parsed.fault.fix, /npm:@jsr\/scope__name@1\.2\.0/);
  });
});
