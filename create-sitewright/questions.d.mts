/** Presets and looks with a description, the default first. */
export const PRESETS: Readonly<Record<string, string>>;
export const LOOKS: Readonly<Record<string, string>>;
