//! SHA-256 and Base64, for the Content-Security-Policy that allows one script and one style by their digests.

/// The Base64 encoding of some bytes.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = (0..3).fold(0, |group, at| group << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// The digest of some bytes (FIPS 180-4).
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = roots(8, 2);
    let constants = roots(64, 3);
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|word| word.iter().fold(0, |all, byte| all << 8 | u32::from(*byte))).collect();
        for at in 16..64 {
            let (a, b) = (words[at - 15], words[at - 2]);
            let one = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let other = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            words.push(words[at - 16].wrapping_add(one).wrapping_add(words[at - 7]).wrapping_add(other));
        }
        let mut state = hash.clone();
        for (word, constant) in words.iter().zip(&constants) {
            let (a, e) = (state[0], state[4]);
            let choice = (e & state[5]) ^ (!e & state[6]);
            let majority = (a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2]);
            let first = (e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                .wrapping_add(state[7])
                .wrapping_add(choice)
                .wrapping_add(*constant)
                .wrapping_add(*word);
            let second = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(majority);
            state.rotate_right(1);
            state[0] = first.wrapping_add(second);
            state[4] = state[4].wrapping_add(first);
        }
        hash.iter_mut().zip(state).for_each(|(word, more)| *word = word.wrapping_add(more));
    }
    let mut digest = [0; 32];
    digest.chunks_exact_mut(4).zip(hash).for_each(|(place, word)| place.copy_from_slice(&word.to_be_bytes()));
    digest
}

/// The first 32 bits of the fractional parts of the square or cube roots of the first primes: the constants of the
/// standard.
fn roots(n: usize, power: u32) -> Vec<u32> {
    let is_prime =
        |number: &u128| (2..*number).take_while(|factor| factor * factor <= *number).all(|f| !number.is_multiple_of(f));
    let root = |prime: u128| {
        let wanted = prime << (32 * power);
        let mut root: u128 = 0;
        for bit in (0..40).rev() {
            let larger = root | 1 << bit;
            if larger.pow(power) <= wanted {
                root = larger;
            }
        }
        (root & 0xffff_ffff) as u32
    };
    (2..).filter(is_prime).take(n).map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_the_published_ones() {
        let hex = |text: &str| sha256(text.as_bytes()).map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(two_blocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }

    #[test]
    fn base64_is_padded() {
        let encoded = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
