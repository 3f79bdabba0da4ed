declare module 'asl-validator' {
  export default function validate(definition: object): {
    readonly isValid: boolean;
    readonly errorsText?: (separator?: string) => string;
  };
}
