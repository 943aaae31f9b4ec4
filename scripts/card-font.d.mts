/** The bytes of the font of preview pictures, made from the package of the typeface. */
export function cardFont(): Promise<Buffer>;
