/** TOML as data, with the numbers as they are written. Runs in Node.js and in browsers. */
export { readToml } from "./toml.js";
