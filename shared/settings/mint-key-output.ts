/** Stack output with the name of the construct's mint-key secret; absent if nothing may mint. */
export const MINT_KEY_OUTPUT = 'MintKeySecretName';
