import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { z } from "zod";
import { useFolder } from "../support/folder.js";
import { repository } from "../support/repository.js";

const read = (file: string): string => readFileSync(join(repository, file), "utf8");
const page = read("content/05.operate/01.deployment/docs.md");
const manifest = z
  .object({ engines: z.object({ node: z.string() }), scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(read("package.json")));

/** Instructions of the container file of the documentation, in order. */
const instructions = (/```dockerfile\n([^]*?)```/.exec(page)?.[1] ?? "")
  .trim()
  .split("\n")
  .map((line): [name: string, rest: string] => {
    const [name = "", ...rest] = line.split(" ");
    return [name, rest.join(" ")];
  });
const valueOf = (wanted: string): string =>
  instructions.find(([name]) => name === wanted)?.[1] ?? assert.fail(`there is no ${wanted}`);
const command = (): string[] => z.array(z.string()).parse(JSON.parse(valueOf("CMD")));
/** The program that `HEALTHCHECK` gives to node. */
const healthCheck = (): string =>
  /^CMD node -e "([^"]*)"$/.exec(valueOf("HEALTHCHECK"))?.[1] ?? assert.fail("no node -e");

describe("the container file of the documentation", () => {
  const folder = useFolder();

  it("contains the two steps of the README and what a container needs, nothing else", () => {
    const names = instructions.map(([name]) => name);
    assert.deepEqual(names, [
      "FROM",
      "WORKDIR",
      "COPY",
      "RUN",
      "ENV",
      "EXPOSE",
      "HEALTHCHECK",
      "CMD",
    ]);
    const [, install, start] = /^(npm \S+) && (npm start)\b/m.exec(read("README.md")) ?? [];
    assert.equal(valueOf("RUN"), install);
    assert.equal(start, "npm start");
    assert.equal(command().slice(0, 3).join(" "), manifest.scripts.start);
    assert.ok(existsSync(join(repository, command()[1] ?? "")));
  });

  it("starts from a version of Node that the package supports", () => {
    const [, version = ""] = /^node:(\d+)-slim$/.exec(valueOf("FROM")) ?? [];
    assert.ok(semver.intersects(`${version}.x`, manifest.engines.node), version);
  });

  it("starts a server that passes its health check, on the exposed port", async function () {
    // A server and two checks, each a process.
    this.timeout(60_000);
    assert.match(healthCheck(), new RegExp(`127\\.0\\.0\\.1:${valueOf("EXPOSE")}/health/ready`));
    await mkdir(join(folder.path, "content"));
    await writeFile(join(folder.path, "site.yaml"), "title: Contained\n");
    await writeFile(join(folder.path, "content", "hello.md"), "# Hello\n");
    const place = new Map([
      ["/srv/notes", folder.path],
      ["0.0.0.0", "127.0.0.1"],
    ]);
    const [, ...words] = command().map((word) => place.get(word) ?? word);
    const server = spawn(process.execPath, [...words, "--port", "0"], { cwd: repository });
    try {
      const port = await portOf(server);
      assert.equal(await check(port), 0);
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      assert.deepEqual(await ended, [0, null]);
      assert.equal(await check(port), 1);
    } finally {
      server.kill("SIGKILL");
    }
  });

  async function check(port: string): Promise<unknown> {
    const program = healthCheck().replace(`:${valueOf("EXPOSE")}/`, `:${port}/`);
    const [code] = await once(spawn(process.execPath, ["-e", program]), "exit");
    return code;
  }
});

/** The port of a server, once it is ready. */
async function portOf(server: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of server.stdout ?? []) {
    text += String(chunk);
    const port = /localhost:(\d+)|127\.0\.0\.1:(\d+)/.exec(text);
    if (/ready after/.test(text)) return port?.[1] ?? port?.[2] ?? assert.fail(text);
  }
  return assert.fail(`it ended: ${text}`);
}
