// Signed images for the tests, made with Node's own cryptography: what the firmware verifies is not what signed it.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';

const number = (value, bytes) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
const text = (value, bytes) => Buffer.concat([Buffer.from(value), Buffer.alloc(bytes)]).subarray(0, bytes);

/** Python's module `images`: the maker's modulus, and images signed with its key (hexadecimal digits). */
export function testKey() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n, 'base64url').toString('hex');
  const image = (board, version, files) => {
    const contents = Object.entries(JSON.parse(files)).flatMap(([name, content]) => [
      number(name.length, 1),
      Buffer.from(name),
      number(Buffer.byteLength(content), 4),
      Buffer.from(content),
    ]);
    const count = number(Object.keys(JSON.parse(files)).length, 1);
    const payload = Buffer.concat([text(board, 8), text(version, 12), count, ...contents]);
    const signed = Buffer.concat([Buffer.from('SWF1'), sign('sha256', payload, privateKey), payload]);
    return signed.toString('hex');
  };
  const digest = (hex) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
  return { modulus, image, digest };
}
