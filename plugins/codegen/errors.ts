import { SiteError } from "#kernel";
import type { SiteErrorOptions } from "#lib/errors";

/** Error codes of this plugin, each with its meaning and fix. */
export const codegenErrors = {
  ERR_CODEGEN_KIND: "`site codegen` got an unknown kind: use plugin, theme, client or nothing.",
  ERR_CODEGEN_NAME:
    "The name of a plugin or theme is invalid: use lower-case letters, digits and hyphens.",
  ERR_CODEGEN_HOOK: "No plugin declares the hook: correct its name.",
  ERR_CODEGEN_ENGINE: "There is no stub for this slot: use search, userStore or sessionStore.",
  ERR_CODEGEN_ROUTE: "The path of a route does not start with a slash.",
  ERR_CODEGEN_CLIENT:
    "The client cannot be written: select the plugin `openapi`, and pass a `.ts` file below the site's folder to `--out`.",
  ERR_CODEGEN_EXISTS: "A file already exists: choose another name, or overwrite it with --force.",
} as const;

/** An error of this plugin: nothing was written, so the command could not run. */
export function codegenFailure(
  code: keyof typeof codegenErrors,
  message: string,
  options: SiteErrorOptions,
): SiteError {
  return new SiteError(code, message, { ...options, exitCode: 2 });
}
