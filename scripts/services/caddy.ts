import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianProgram, type Program } from "./debian-program.js";
import { startServer, type ServerProcess } from "./server-process.js";

/** Finds or installs Caddy. @throws MissingServiceError. */
export function caddyProgram(): Promise<Program> {
  return debianProgram({ binary: "caddy", packages: ["caddy"] });
}

/** Starts Caddy with the text of a Caddyfile, without its administration port and redirects from port 80. */
export function startCaddy({ path, env }: Program, caddyfile: string): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), "site-caddy-"));
  writeFileSync(
    join(folder, "Caddyfile"),
    `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${caddyfile}`,
  );
  return startServer({
    command: path,
    args: ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
    env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    ready: "serving initial configuration",
    folder,
    stopSignal: "SIGTERM",
  });
}
