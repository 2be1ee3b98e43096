//! Which language, and which edition of it?

/// The two directive languages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    /// `#pragma omp`
    OpenMp,
    /// `#pragma acc`
    OpenAcc,
}

impl Language {
    /// The word after `#pragma`: `omp` or `acc`.
    pub fn sentinel(self) -> &'static str {
        match self {
            Language::OpenMp => "omp",
            Language::OpenAcc => "acc",
        }
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Language::OpenMp => "OpenMP",
            Language::OpenAcc => "OpenACC",
        })
    }
}

/// An edition of a specification. Within one language the order is that of publication.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    /// OpenMP 4.5 (2015), with everything older
    OpenMp45,
    /// OpenMP 5.0 (2018)
    OpenMp50,
    /// OpenMP 5.1 (2020)
    OpenMp51,
    /// OpenMP 5.2 (2021)
    OpenMp52,
    /// OpenMP 6.0 (2024)
    OpenMp60,
    /// OpenACC 2.7 (2018), with everything older
    OpenAcc27,
    /// OpenACC 3.0 (2019)
    OpenAcc30,
    /// OpenACC 3.1 (2020)
    OpenAcc31,
    /// OpenACC 3.2 (2021)
    OpenAcc32,
    /// OpenACC 3.3 (2022)
    OpenAcc33,
    /// OpenACC 3.4 (2025)
    OpenAcc34,
}

use Version::*;

impl Version {
    /// All editions, oldest first within each language.
    pub const ALL: [Version; 11] = [
        OpenMp45, OpenMp50, OpenMp51, OpenMp52, OpenMp60, OpenAcc27, OpenAcc30, OpenAcc31, OpenAcc32,
        OpenAcc33, OpenAcc34,
    ];

    /// The language that it is an edition of.
    pub fn language(self) -> Language {
        match self {
            OpenMp45 | OpenMp50 | OpenMp51 | OpenMp52 | OpenMp60 => Language::OpenMp,
            OpenAcc27 | OpenAcc30 | OpenAcc31 | OpenAcc32 | OpenAcc33 | OpenAcc34 => Language::OpenAcc,
        }
    }

    /// As it is printed on the title page: `5.0`.
    pub fn number(self) -> &'static str {
        match self {
            OpenMp45 => "4.5",
            OpenMp50 => "5.0",
            OpenMp51 => "5.1",
            OpenMp52 => "5.2",
            OpenMp60 => "6.0",
            OpenAcc27 => "2.7",
            OpenAcc30 => "3.0",
            OpenAcc31 => "3.1",
            OpenAcc32 => "3.2",
            OpenAcc33 => "3.3",
            OpenAcc34 => "3.4",
        }
    }

    /// The last edition of a language.
    pub fn newest(language: Language) -> Version {
        match language {
            Language::OpenMp => OpenMp60,
            Language::OpenAcc => OpenAcc34,
        }
    }

    /// The edition with this number, as in `--openmp 5.0`.
    pub fn parse(language: Language, number: &str) -> Option<Version> {
        Version::ALL
            .into_iter()
            .find(|v| v.language() == language && v.number() == number)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.language(), self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        for version in Version::ALL {
            assert_eq!(
                Version::parse(version.language(), version.number()),
                Some(version)
            );
        }
        assert_eq!(Version::parse(Language::OpenMp, "3.0"), None);
    }
}
