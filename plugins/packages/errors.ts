import { SiteError } from "#kernel";

/** Error codes of packages: what each means, and the fix. */
export const packagesErrors = {
  ERR_PACKAGE_SPEC:
    "No plugin or theme can come from there: give `npm:name@^1.0.0`, `./path` below the site root, or for a plugin `file:./name.tgz` or `git+https://…`.",
  ERR_PACKAGE_VERSION:
    "No published version fits the range, or none is old enough: widen the range, or name the package in `packages.minimum_dependency_age.exclude`.",
  ERR_PACKAGE_ENTRY:
    "The configuration names no such plugin or theme, or names it in a file that the command does not write.",
  ERR_PACKAGE_NPM: "npm has failed: the message holds what it said.",
  ERR_PACKAGE_GIT:
    "git did not tell the commit of a branch or tag: correct the address or the name, or let git sign in.",
  ERR_PACKAGE_DRIFT:
    "A version that `site.lock` pins is not what the registry serves: find out why, then name it with --upgrade.",
} as const;

/** An error of this plugin. */
export function packagesError(
  code: keyof typeof packagesErrors,
  message: string,
  fix: string,
): SiteError {
  return new SiteError(code, message, { fix });
}
