/** Other plugins may add field editors, screens and cards of the dashboard to the panel. */

/**
 * An ES module of a plugin that runs in the panel. Its default export is a `PanelModule`.
 *
 * @example
 * site.extensions.add("panelExtensions", { file: new URL("./panel.js", import.meta.url) });
 */
export interface PanelExtensionFile {
  /** A `file:` URL or an absolute path; one self-contained file in JavaScript. */
  readonly file: URL | string;
}
declare module "#kernel" {
  interface Extensions {
    /**
     * A file of the plugin that runs in the panel, an ES module whose default export is a `PanelModule`: field
     * editors, screens, cards of the dashboard.
     *
     * @example
     * site.extensions.add("panelExtensions", { file: new URL("./panel.js", import.meta.url) });
     */
    panelExtensions: PanelExtensionFile;
  }
}
