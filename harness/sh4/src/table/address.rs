//! The addressing mode of an instruction's data access, derived from the syntax column.

use super::Row;

/// The base register of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressRegister {
    /// The register of field `n`.
    N,
    /// The register of field `m`.
    M,
    /// GBR.
    Gbr,
}

/// The addressing mode of a data access (SH7750 manual, section 7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressMode {
    /// `@Rn`, `@(disp,Rn)`, `@(disp,GBR)`: the register plus the immediate, which is 0 for `@Rn`.
    Displacement(AddressRegister),
    /// `@Rn+`: the register, incremented after the access.
    PostIncrement(AddressRegister),
    /// `@-Rn`: the register, decremented before the access.
    PreDecrement(AddressRegister),
    /// `@(R0,Rn)`, `@(R0,GBR)`: the sum of R0 and the register.
    Indexed(AddressRegister),
    /// `@(disp,PC)`: a constant.
    PcRelative,
}

impl AddressMode {
    /// The register, if the address is the register plus a constant.
    #[must_use]
    pub fn single_register(self) -> Option<AddressRegister> {
        match self {
            AddressMode::Displacement(register)
            | AddressMode::PostIncrement(register)
            | AddressMode::PreDecrement(register) => Some(register),
            AddressMode::Indexed(_) | AddressMode::PcRelative => None,
        }
    }
}

impl Row {
    /// The addressing mode of the row's data accesses. `None` for instructions without an access, and for
    /// MAC.W and MAC.L, which have two addresses.
    #[must_use]
    pub fn address_mode(&self) -> Option<AddressMode> {
        let operand = match self.syntax.split_once('@') {
            Some((_, operand)) if self.accesses() > 0 && !operand.contains('@') => operand,
            _ => return None,
        };
        if let Some(inside) = operand.strip_prefix("(disp,") {
            return match named(inside) {
                Some(register) => Some(AddressMode::Displacement(register)),
                None => Some(AddressMode::PcRelative),
            };
        }
        if let Some(inside) = operand.strip_prefix("(R0,") {
            return named(inside).map(AddressMode::Indexed);
        }
        if let Some(register) = operand.strip_prefix('-') {
            return named(register).map(AddressMode::PreDecrement);
        }
        let register = named(operand)?;
        let first = operand.split(',').next()?;
        Some(match first.ends_with('+') {
            true => AddressMode::PostIncrement(register),
            false => AddressMode::Displacement(register),
        })
    }
}

/// The register that `text` begins with.
fn named(text: &str) -> Option<AddressRegister> {
    let first = text.split([',', ')', '+']).next()?;
    match first {
        "Rn" => Some(AddressRegister::N),
        "Rm" => Some(AddressRegister::M),
        "GBR" => Some(AddressRegister::Gbr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{AddressMode, AddressRegister};
    use crate::table::{Id, TABLE};

    #[test]
    fn every_access_except_macs_has_a_mode() {
        for row in TABLE {
            let expected = row.accesses() > 0 && !row.syntax.starts_with("mac");
            assert_eq!(row.address_mode().is_some(), expected, "{}", row.syntax);
        }
    }

    #[test]
    fn modes_follow_the_syntax() {
        let mode = |id: Id| TABLE[id as usize].address_mode();
        for (id, expected) in [
            (
                Id::mov_w_disp_rm_r0,
                AddressMode::Displacement(AddressRegister::M),
            ),
            (
                Id::mov_b_r0_disp_rn,
                AddressMode::Displacement(AddressRegister::N),
            ),
            (
                Id::mov_l_disp_gbr_r0,
                AddressMode::Displacement(AddressRegister::Gbr),
            ),
            (Id::mov_l_at_rm_rn, AddressMode::Displacement(AddressRegister::M)),
            (Id::tas_b_at_rn, AddressMode::Displacement(AddressRegister::N)),
            (
                Id::lds_l_post_rm_pr,
                AddressMode::PostIncrement(AddressRegister::M),
            ),
            (
                Id::stc_l_rm_bank_pre_rn,
                AddressMode::PreDecrement(AddressRegister::N),
            ),
            (Id::fmov_s_idx_rm_frn, AddressMode::Indexed(AddressRegister::M)),
            (Id::or_b_imm_idx_gbr, AddressMode::Indexed(AddressRegister::Gbr)),
            (Id::mov_l_disp_pc_rn, AddressMode::PcRelative),
        ] {
            assert_eq!(mode(id), Some(expected), "{id:?}");
        }
        assert_eq!(mode(Id::mova_disp_pc_r0), None);
    }
}
