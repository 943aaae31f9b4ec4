/** Git for repositories whose contents others decide: nothing in them is run or followed. */
import { Git } from "#kernel";
import { dirname } from "node:path";
import { childVariables } from "#kernel/internal";
import type { Remote } from "./remote.js";

const CONFIG = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "core.autocrlf=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.fsckObjects=true",
  "fetch.fsck.zeroPaddedFilemode=warn",
  "fetch.fsck.badTimezone=warn",
  "fetch.fsck.missingSpaceBeforeDate=warn",
  // Without these, a remote that sends nothing keeps the connection for ever.
  "http.lowSpeedLimit=100",
  "http.lowSpeedTime=30",
  "gc.autoDetach=false",
  "maintenance.autoDetach=false",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  "core.askPass=",
];
const SSH = "ssh -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=15";
// Variables that point to another repository, and secrets of the site.
const PASSED = /^(?!SITE_|GIT_(?!SSH|SSL|HTTP|PROXY))/;

/** Git in a folder, and a function that switches off the filters of the machine's configuration. */
export interface SafeGit {
  readonly git: Git;
  withoutFilters(): Promise<void>;
}

/** `signal`: ends running commands. */
export function safeGit(root: string, remote: Remote, signal: AbortSignal): SafeGit {
  const config = [...CONFIG];
  const env = {
    GIT_SSH_COMMAND: SSH,
    ...childVariables(PASSED),
    GIT_ALLOW_PROTOCOL: "file:http:https:ssh",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    // A damaged repository must not be taken for the one of a folder above.
    GIT_CEILING_DIRECTORIES: dirname(root),
    ...remote.env,
  };
  const redact = (text: string): string => remote.redact(text).replaceAll(root, ".");
  const git = new Git(root, { config, env, redact, signal });
  return {
    git,
    withoutFilters: async () => {
      const names = await git.read(
        ["config", "--null", "--name-only", "--get-regexp", "^filter\\."],
        {
          codes: [1],
        },
      );
      const filters = new Set(
        names
          .toString()
          .split("\0")
          .flatMap((key) => /^(filter\..+)\.[^.]+$/s.exec(key)?.[1] ?? []),
      );
      for (const filter of filters) {
        for (const part of ["clean=", "smudge=", "process=", "required=false"]) {
          config.push(`${filter}.${part}`);
        }
      }
    },
  };
}
