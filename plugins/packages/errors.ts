import { SiteError } from "#kernel";

/** Error codes of packages: what each means, and the fix. */
export const packagesErrors = {
  ERR_LOCK_BROKEN:
    "`site.lock` cannot be read: restore it, or delete it and run `site lockfile:sync`.",
  ERR_LOCK_DRIFT:
    "An installed package differs from `site.lock`: the message says how, the fix names the command.",
  ERR_PACKAGE_SPEC:
    "The source of a plugin or theme is invalid: use `npm:name@^1.0.0`, `file:./name.tgz`, `git+https://…`, or `./path` below the site root.",
  ERR_PACKAGE_VERSION:
    "No published version fits the range, or none is old enough: widen the range, or add the package to `packages.minimum_dependency_age.exclude`.",
  ERR_PACKAGE_ENTRY:
    "The configuration has no such plugin or theme, or has it in a file that the command does not edit.",
  ERR_PACKAGE_NPM: "npm failed: the message quotes its output.",
  ERR_PACKAGE_GIT:
    "git could not resolve a branch or tag to a commit: correct the address or the name, or set up git credentials.",
  ERR_PACKAGE_DRIFT:
    "A version pinned in `site.lock` differs from the one in the registry: find out why, then pass it to --upgrade.",
} as const;

/** Errors of a command that could not run with its argument. */
const ARGUMENT: ReadonlySet<string> = new Set(["ERR_PACKAGE_SPEC", "ERR_PACKAGE_ENTRY"]);

/** An error of this plugin. */
export function packagesError(
  code: keyof typeof packagesErrors,
  message: string,
  fix: string,
): SiteError {
  return new SiteError(code, message, { fix, ...(ARGUMENT.has(code) && { exitCode: 2 }) });
}
