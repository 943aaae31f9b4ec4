import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianProgram, type Program } from "./debian-program.js";
import { startServer, type ServerProcess } from "./server-process.js";

/** Finds or installs nginx. @throws MissingServiceError. */
export function nginxProgram(): Promise<Program> {
  return debianProgram({ binary: "nginx", packages: ["nginx-light"] });
}

/** Starts nginx with the text of a file for `conf.d/`, as one process of this user. */
export function startNginx({ path, env }: Program, site: string): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), "site-nginx-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => {
    mkdirSync(join(folder, name));
    return `\t${name}_temp_path ${join(folder, name)};`;
  });
  writeFileSync(join(folder, "site.conf"), site);
  writeFileSync(
    join(folder, "nginx.conf"),
    [
      "daemon off;",
      "master_process off;",
      `pid ${join(folder, "nginx.pid")};`,
      "error_log stderr notice;",
      "events {}",
      "http {",
      "\taccess_log off;",
      ...temporary,
      `\tinclude ${join(folder, "site.conf")};`,
      "}",
      "",
    ].join("\n"),
  );
  return startServer({
    command: path,
    args: ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"],
    env,
    ready: "event method",
    folder,
    stopSignal: "SIGTERM",
  });
}
