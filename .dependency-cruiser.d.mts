/** Types of .dependency-cruiser.mjs. */
declare const configuration: object;
export default configuration;
