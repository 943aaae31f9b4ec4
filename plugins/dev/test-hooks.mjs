/**
 * Compiles the TypeScript that tests import with the compiler of the server. Node itself loads packages: jiti
 * transforms those in CommonJS too, which Node 20 then cannot link.
 */
const jiti = await import(new URL(import.meta.url).searchParams.get("jiti"));

/** Hooks of Node: https://nodejs.org/api/module.html#customization-hooks */
export const { initialize, resolve } = jiti;

export function load(url, context, next) {
  const isPackage = url.includes("/node_modules/") && /\.js(?:on)?$/.test(url);
  return isPackage ? next(url, context) : jiti.load(url, context, next);
}
