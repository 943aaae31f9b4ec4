import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEnv, processEnv, readEnvFiles } from "../../../kernel/config/env.js";
import { ConfigError } from "../../../kernel/config/problem.js";
import { useFolder } from "../../support/folder.js";

describe("the environment", () => {
  it("takes its mode from SITE_ENV, else from the command", () => {
    assert.equal(createEnv({}).mode, "production");
    assert.equal(createEnv({}, "dev").mode, "dev");
    assert.equal(createEnv({ SITE_ENV: "production" }, "dev").mode, "production");
    assert.throws(() => createEnv({ SITE_ENV: "staging" }), ConfigError);
  });

  it("expands a reference that is the whole value, and nothing else", () => {
    const env = createEnv({ NAME: "x", EMPTY: "" });
    assert.equal(env.expand("$NAME"), "x");
    assert.equal(env.expand("${NAME}"), "x");
    for (const text of ["a $NAME", "$NAME b", "$1", "$", "${NAME", "$NAME}", "$$NAME", ""]) {
      assert.equal(env.expand(text), text);
    }
  });

  it("treats an empty variable as unset", () => {
    const env = createEnv({ EMPTY: "" });
    assert.equal(env.get("EMPTY"), undefined);
    assert.equal(env.expand("$EMPTY"), undefined);
    assert.equal(env.expand("$UNSET"), undefined);
  });

  it("ignores inherited properties", () => {
    assert.equal(createEnv({}).get("constructor"), undefined);
    assert.equal(createEnv({}).expand("$toString"), undefined);
  });

  it("is read at call time", () => {
    const variables: Record<string, string> = { TOKEN: "old" };
    const env = createEnv(variables);
    variables["TOKEN"] = "new";
    assert.equal(env.expand("$TOKEN"), "new");
  });

  it("is that of the process by default", () => {
    assert.equal(processEnv("dev").get("PATH"), process.env["PATH"]);
  });
});

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
