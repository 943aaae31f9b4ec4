/** What runs a site: the command line loads it for the command that needs it. */
export { createQuietSite, createSite } from "../boot/create-site.js";
export { silentLog } from "#lib/log";
export { Launch } from "./serve/launch.js";
