/** A name as PostgreSQL reads it whatever it holds. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
