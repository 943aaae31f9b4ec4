import { SiteError, type SiteErrorOptions } from "#kernel";

/** Codes of this plugin, with what they mean and what mends them. */
export const codegenErrors = {
  ERR_CODEGEN_KIND:
    "`site codegen` does not know what to write: give plugin, theme, client or nothing.",
  ERR_CODEGEN_NAME:
    "A name for a plugin or theme is not usable: take lower-case letters, digits and hyphens.",
  ERR_CODEGEN_HOOK: "A hook is asked for that nobody declares: correct its name.",
  ERR_CODEGEN_ENGINE: "There is no stub for this slot: give search, userStore or sessionStore.",
  ERR_CODEGEN_ROUTE: "The path of a route does not begin with a slash.",
  ERR_CODEGEN_CLIENT:
    "A client cannot be written: select the plugin `openapi`, and give `--out` a path below the site's folder that ends in `.ts`.",
  ERR_CODEGEN_EXISTS:
    "A file is already there: choose another name, or write over it with --force.",
} as const;

/** An error of this plugin. */
export function codegenFailure(
  code: keyof typeof codegenErrors,
  message: string,
  options: SiteErrorOptions,
): SiteError {
  return new SiteError(code, message, options);
}
