/** The compiled files of the panel's browser code. */
export function compilePanelClient(
  root: string,
): Promise<{ path: string; text: string; contents: Uint8Array }[]>;
/** The folders of the packages whose code is in these files, relative to `root`. */
export function panelPackages(root: string): Promise<string[]>;
