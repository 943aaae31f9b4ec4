import path from "node:path";
import { isRange } from "#lib/versions";

/** The source of a module. */
export type Specifier =
  | { kind: "path"; path: string }
  | { kind: "npm"; name: string; range: string }
  /** A packed package in the site: `path` is normalised and relative to the root. */
  | { kind: "tarball"; path: string }
  /** A commit of a repository, which npm packs and installs; `url` starts with `git+`. */
  | { kind: "git"; url: string; commit: string }
  | { kind: "name"; name: string };

/** The reason why a specifier is rejected. */
export interface SpecifierFault {
  expected: string;
  fix: string;
}

const PACKAGE_NAME = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const PINNED = /^[~^]?\d+(\.\d+){0,2}(-[\w.-]+)?(\+[\w.-]+)?$/;
const BARE_NAME = /^[A-Za-z0-9][\w-]*$/;

const GIT = /^(git\+(?:https|ssh|file):\/\/[^\s#]+)(?:#(.*))?$/;
const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Parses `./path`, `npm:name@range`, `file:./package.tgz`, `git+https://…#commit` or a bare name. The
 * range must be a version, `^` or `~`; a path must stay in the site root; git needs a full commit.
 * Other schemes are rejected before anything is imported. `what` it is the source of: for the fixes.
 */
export function parseSpecifier(
  text: string,
  what: "plugin" | "theme" = "plugin",
): { specifier: Specifier } | { fault: SpecifierFault } {
  if (text.startsWith("npm:")) return parseNpm(text.slice(4));
  if (text.startsWith("jsr:")) return { fault: jsrFault(text.slice(4)) };
  if (text.startsWith("file:")) return parseTarball(text.slice(5));
  if (/^git[+:@]/.test(text)) return parseGit(text, what);
  if (/^\.{0,2}[/\\]/.test(text)) return parsePath(text, what);
  if (BARE_NAME.test(text)) return { specifier: { kind: "name", name: text } };
  return {
    fault: {
      expected: "`./path`, `npm:name@version`, `file:./package.tgz` or `git+https://…#commit`",
      fix: "install it with npm and write `npm:name@^1.0.0`, or copy it into the site",
    },
  };
}

function parseNpm(text: string): { specifier: Specifier } | { fault: SpecifierFault } {
  const at = text.lastIndexOf("@");
  const [name, range] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, ""];
  if (!PACKAGE_NAME.test(name)) {
    return { fault: { expected: "the name of an npm package", fix: "write `npm:name@^1.0.0`" } };
  }
  if (!PINNED.test(range) || !isRange(range)) {
    return {
      fault: {
        expected: "a pinned version: exact, `^` or `~`",
        fix: `write npm:${name}@^1.0.0 with the version you have tested`,
      },
    };
  }
  return { specifier: { kind: "npm", name, range } };
}

function parseTarball(text: string): { specifier: Specifier } | { fault: SpecifierFault } {
  const normal = path.posix.normalize(text);
  const isBelow = !/^(?:\.\.|\/)/.test(normal) && !/[\\\0]/.test(text);
  if (isBelow && /\.(?:tgz|tar\.gz)$/.test(normal)) {
    return { specifier: { kind: "tarball", path: normal } };
  }
  return {
    fault: {
      expected: "a .tgz file in the site root",
      fix: "run npm pack, put the file into the site and write `file:./vendor/name-1.0.0.tgz`; a folder is `./path`",
    },
  };
}

function parseGit(
  text: string,
  what: string,
): { specifier: Specifier } | { fault: SpecifierFault } {
  const [, url, commit = ""] = GIT.exec(text) ?? [];
  if (url === undefined) {
    const expected = "`git+https://`, `git+ssh://` or `git+file://`";
    return { fault: { expected, fix: "write git+https://host/name.git#<commit>" } };
  }
  if (/^git\+\w+:\/\/[^/@]*:[^/@]*@/.test(url)) {
    const fix = "remove the password; use a credential helper of git or an ssh key";
    return { fault: { expected: "an address without a password", fix } };
  }
  if (COMMIT.test(commit)) return { specifier: { kind: "git", url, commit } };
  const fix = `run site ${what}:add ${url}${commit === "" ? "" : `#${commit}`}, which writes the commit`;
  return { fault: { expected: "a full commit hash after #", fix } };
}

function jsrFault(text: string): SpecifierFault {
  const match = /^@?([a-z0-9-]+)\/([a-z0-9-]+)(?:@(.+))?$/.exec(text);
  const name = match
    ? `@jsr/${match[1]}__${match[2]}@${match[3] ?? "^1.0.0"}`
    : "@jsr/scope__name@^1.0.0";
  return { expected: "its npm name", fix: `install it with \`npx jsr add\` and write npm:${name}` };
}

function parsePath(
  text: string,
  what: string,
): { specifier: Specifier } | { fault: SpecifierFault } {
  const normal = path.posix.normalize(text);
  if (!text.startsWith("./") || normal.startsWith("..") || /[\\\0]/.test(text)) {
    return {
      fault: {
        expected: "a path in the site root",
        fix: `move it into the site and write \`./${what === "plugin" ? "plugins/name.ts" : "themes/name"}\``,
      },
    };
  }
  return { specifier: { kind: "path", path: normal } };
}

/**
 * The name that a source suggests: `npm:@acme/shop-kit@1.0.0`, `./plugins/shop-kit.ts`,
 * `./plugins/shop-kit/index.ts`, `file:./vendor/shop-kit-1.0.0.tgz` and
 * `git+https://host/acme/shop-kit.git#…` are `shop-kit`.
 */
export function nameOfSource(src: string): string {
  if (/^(?:file:|git\+)/.test(src)) {
    const last =
      src
        .replace(/#.*$/, "")
        .replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1) ?? src;
    return last.replace(/\.(?:git|tgz|tar\.gz)$/, "").replace(/(?<=.)-\d+\.\d+\.\d+.*$/, "");
  }
  const path = src.replace(/^(?:npm|jsr):/, "").replace(/(?<=.)@[^@/]*$/, "");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const isIndex = parts.length > 1 && /^index\.\w+$/.test(parts.at(-1) ?? "");
  return (parts.at(isIndex ? -2 : -1) ?? path).replace(/\.\w+$/, "");
}
