declare module 'asl-validator' {
  /** Checks a definition of the Amazon States Language against its schemas, paths and ARNs. */
  export default function validate(definition: object): {
    readonly isValid: boolean;
    readonly errorsText?: (separator?: string) => string;
  };
}
