/** The package manager that runs `npm create`, and what it needs to install Sitewright. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { Failure } from "./failure.mjs";

/** The package manager that runs this, as npm, pnpm, yarn and bun say in `npm_config_user_agent`; default: npm. */
export function callingManager({ npm_config_user_agent: agent = "", npm_execpath: program = "" }) {
  const [, found = "npm", major = "0"] = /^(npm|pnpm|yarn|bun)\/(\d+)/.exec(agent) ?? [];
  const isBerry = found === "yarn" && Number(major) >= 2;
  // npm names itself here even when its `npx` runs this; the name has to match the agent.
  const isOwn = basename(program).startsWith(found === "npm" ? "npm-cli" : found);
  const isScript = /\.[cm]?js$/.test(program);
  const command = isOwn && isScript ? [process.execPath, program] : [found];
  return { name: found, isBerry, command };
}

/** Writes package.json. `wanted` is a version, or the path of a tarball or a clone, which becomes relative to the folder. */
export function writeManifest(folder, wanted, { name, isBerry }) {
  const isPath =
    /^(?:file:|[.~]?[\\/]|\.\.|[A-Za-z]:)|\.tgz$/.test(wanted) && !/^https?:/.test(wanted);
  const path = relative(folder, resolve(wanted.replace(/^file:/, "")));
  const sitewright = isPath ? `file:${path.split(sep).join("/")}` : wanted;
  const manifest = { private: true, type: "module", dependencies: { sitewright } };
  const options = { flag: "wx" };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`, options);
  // Plugins and themes of a site are found in node_modules.
  if (isBerry && !existsSync(join(folder, ".yarnrc.yml"))) {
    writeFileSync(join(folder, ".yarnrc.yml"), "nodeLinker: node-modules\n", options);
  }
  // A folder below another project would become a part of it.
  if (name === "yarn" && !existsSync(join(folder, "yarn.lock"))) {
    writeFileSync(join(folder, "yarn.lock"), "", options);
  }
}

/**
 * Installs the dependencies of the folder. `retry`: the command that the fix names.
 * @throws Failure with the output of the package manager.
 */
export async function install(folder, manager, { retry, signal }) {
  const quiet = manager.name === "npm" ? ["--no-audit", "--no-fund", "--loglevel=error"] : [];
  const [program, ...words] = [...manager.command, "install", ...quiet];
  const { code, text } = await run(program, words, { folder, signal });
  if (signal.aborted) throw new Failure("stopped: nothing was created", { code: 130 });
  if (code === 0) return;
  const offline =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|ERR_PNPM_NO_OFFLINE)/.exec(
      text,
    );
  throw new Failure(
    offline === null
      ? `${manager.name} install failed${code === null ? "" : ` with exit code ${code}`}: nothing was created`
      : `${manager.name} cannot reach its registry (${offline[1]}): nothing was created`,
    {
      fix:
        (offline === null
          ? "fix the error above"
          : "check the connection, and the proxy and registry of its settings") +
        `, then run again: ${retry}`,
      output: text,
    },
  );
}

/** The environment without the loader of Yarn's Plug'n'Play, which `yarn create` sets for itself alone. */
function withoutPlugAndPlay({ NODE_OPTIONS: options, ...env }) {
  const loader =
    /--(?:require|import|loader|experimental-loader)[ =](?:"[^"]*\.pnp\.(?:cjs|loader\.mjs)"|\S*\.pnp\.(?:cjs|loader\.mjs))/g;
  const rest = options?.replace(loader, "").trim();
  return rest ? { ...env, NODE_OPTIONS: rest } : env;
}

/** Runs a program in the folder; resolves with its exit code, null when it could not start, and its output. */
export function run(program, words, { folder, signal }) {
  return new Promise((done) => {
    let text = "";
    const take = (bytes) => {
      text += bytes;
    };
    const isBatch = process.platform === "win32" && program !== process.execPath;
    const options = {
      cwd: folder,
      env: { ...withoutPlugAndPlay(process.env), NO_COLOR: "1" },
      shell: isBatch,
    };
    const child = spawn(program, words, { ...options, stdio: ["ignore", "pipe", "pipe"], signal });
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", (error) => {
      take(`${program}: ${error.message}\n`);
      if (child.pid === undefined) done({ code: null, text });
    });
    child.once("close", (code) => done({ code, text }));
  });
}
