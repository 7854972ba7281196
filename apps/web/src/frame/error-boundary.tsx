/** The outermost net: whatever breaks outside a route still ends in a readable screen. */
import { Component, type ErrorInfo, type ReactNode } from "react";
import { CrashScreen } from "./error-screens/error-screens.tsx";

export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown; stack: string }> {
  override state: { error?: unknown; stack: string } = { stack: "" };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(_error: unknown, info: ErrorInfo) {
    this.setState({ stack: info.componentStack ?? "" });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <CrashScreen error={this.state.error} componentStack={this.state.stack} />;
  }
}
