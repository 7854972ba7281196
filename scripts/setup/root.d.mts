/** Types of root.mjs. */
export declare const ROOT: string;
