import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readEnvFiles } from "../../../kernel/config/env.js";
import { useFolder } from "../../support/folder.js";

describe("--env-file", () => {
  const folder = useFolder();

  it("sets variables that are unset, from the first of two files", async () => {
    const [one, two] = [join(folder.path, "one.env"), join(folder.path, "two.env")];
    await writeFile(one, 'A=1\nB="two words"\n# a comment\nexport C=3\n');
    await writeFile(two, "A=other\nD=4\nEMPTY=\n");
    const variables: NodeJS.ProcessEnv = { B: "kept" };
    readEnvFiles(["serve", "--env-file", one, `--env-file=${two}`], variables);
    assert.deepEqual(variables, { A: "1", B: "kept", C: "3", D: "4", EMPTY: "" });
  });

  it("rejects a missing file, without its folder's content in the message", () => {
    for (const argv of [["serve", "--env-file", "/nowhere/x.env"], ["--env-file"]])
      assert.throws(() => readEnvFiles(argv, {}), { code: "ERR_CLI_OPTION" });
  });

  it("ignores everything after --", () => {
    readEnvFiles(["search", "--", "--env-file", "/nowhere"], {});
  });
});
