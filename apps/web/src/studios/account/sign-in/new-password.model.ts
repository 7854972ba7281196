/** Rules of the two inputs of a new password: both given, and alike. Length and strength are the server's to say. */

export interface PasswordProblems {
  password?: "required";
  confirm?: "required" | "matchError";
}

export function checkNewPassword(password: string, confirm: string): PasswordProblems {
  const problems: PasswordProblems = {};
  if (password === "") problems.password = "required";
  if (confirm === "") problems.confirm = "required";
  else if (confirm !== password) problems.confirm = "matchError";
  return problems;
}
