/** Error codes of the panel: meaning and fix. */
export const panelErrors = {
  ERR_PANEL_EXTENSION:
    "The file with which a plugin extends the panel cannot be read: correct its path, and ship it with the plugin.",
} as const;
