import { SiteError } from "#kernel";
import type { SiteErrorOptions } from "#lib/errors";

/** Error codes of themes and rendering, with meaning and fix. */
export const renderErrors = {
  ERR_THEME_MISSING:
    "No theme has this name: put it in `themes/<name>/`, name it under `themes:`, or correct the name at the line the message names.",
  ERR_THEME_CYCLE: "Themes are each other's parents in a circle: remove one `parent`.",
  ERR_THEME_MANIFEST: "A `theme.yaml` cannot be read: correct it at the line the message names.",
  ERR_THEME_SOURCE:
    "A theme's `src` is refused: use `npm:name@version` with a pinned version, `file:./name.tgz`, `git+https://…#commit`, or `./path` inside the site root.",
  ERR_THEME_SETTING:
    "`theme.custom` has a value that does not fit the `config_schema` of the theme, or a key that it does not describe, or `theme.look` is not one of its looks: correct the key that is named, or remove it.",
  ERR_TEMPLATE_LOAD:
    "A template's module could not be loaded: the message names file, line and column.",
  ERR_TEMPLATE_INVALID: "A template's module has no component as its default export.",
  ERR_TEMPLATE_RENDER: "A template threw while it was rendered: correct it at the logged place.",
  ERR_SIDEBAR_FILE:
    "`sidebar.yaml` has a mistake, or names a page that does not exist: correct the line that is named.",
  ERR_REDIRECT_TARGET:
    "A page or the configuration redirects to something that is neither a path nor an http(s) URL.",
  ERR_SCAFFOLD_NOT_EMPTY: "A new site is only made in an empty folder: choose another one.",
} as const;

/** An error of this plugin, with its code. */
export function renderFailure(
  code: keyof typeof renderErrors,
  message: string,
  options: SiteErrorOptions = {},
): SiteError {
  return new SiteError(code, message, options);
}
